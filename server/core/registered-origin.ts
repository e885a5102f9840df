import { canonicalOrigin, longestOrigin } from "./origin.ts";

/**
 * Whether what an `Origin` header says is registered, itself or by a wildcard. What is registered is canonical, so a
 * header that equals it is, too, and nothing is parsed. For a wildcard the header must be canonical itself:
 * `https://a.b.example:8443` meets `https://*.b.example:8443`.
 * @param isRegistered whether exactly this text was registered.
 * @param header as it was sent; one with a `*` is nobody's, or it would meet its own entry. Nor is one that is longer than
 * an origin can be: each of its dots would be looked up with all that is behind it.
 */
export function coversOrigin(isRegistered: (text: string) => boolean, header: string): boolean {
  if (header.length > longestOrigin || header.includes("*")) return false;
  if (isRegistered(header)) return true;
  const scheme = header.slice(0, header.indexOf("://") + 3);
  for (let dot = header.indexOf("."); dot > 0; dot = header.indexOf(".", dot + 1)) {
    if (isRegistered(`${scheme}*${header.slice(dot)}`)) return canonicalOrigin(header) !== null;
  }
  return false;
}
