import { isLoopbackHost } from "./loopback-host.ts";
import { canonicalOrigin, checkRegisteredOrigin } from "./origin.ts";

/**
 * The origins of an address as somebody copies it from a browser: its own and the one by which the same pages are
 * reached as well, `www.` beside the bare name, and `127.0.0.1` beside `localhost`. A text that is no address comes back
 * as it is, for the rules of saving to refuse it.
 * @param isPublicSuffix whether strangers register names below a host (`co.uk`, `github.io`).
 */
export function originsOfAddress(address: string, isPublicSuffix: (host: string) => boolean): string[] {
  const text = address.trim();
  const url = urlOf(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return [text];
  const other = otherHost(url.hostname, isPublicSuffix);
  const port = url.port === "" ? "" : `:${url.port}`;
  return other === null ? [url.origin] : [url.origin, `${url.protocol}//${other}${port}`];
}

/**
 * Why an address cannot be registered, for whoever pastes a page's; null: it can. An origin that is written as one is judged by
 * its own rules.
 */
export function wrongOfAddress(address: string, isPublicSuffix: (host: string) => boolean): string | null {
  const [origin = ""] = originsOfAddress(address, isPublicSuffix);
  if (canonicalOrigin(origin.replace(/^http:/, "https:")) === null && !origin.includes("://*.")) {
    return "must be the address of a page, such as https://www.example.com/news";
  }
  const verdict = checkRegisteredOrigin(origin, isPublicSuffix);
  return verdict.ok ? null : verdict.message;
}

/** What a website is called before anybody has said: its host, without `www.`. */
export function nameOfOrigins([first = ""]: readonly string[]): string {
  return URL.parse(first)?.host.replace(/^www\./, "") || "Website";
}

/** Whether a website stands on this machine alone, where nobody else can visit it. */
export function isOnThisMachine(origins: readonly string[]): boolean {
  return origins.every((origin) => isLoopbackHost(URL.parse(origin)?.hostname ?? ""));
}

const urlOf = (address: string): URL | null => {
  if (address.includes("://")) return URL.parse(address);
  const bare = URL.parse(`http://${address}`);
  return bare !== null && isLoopbackHost(bare.hostname) ? bare : URL.parse(`https://${address}`);
};

const otherHost = (host: string, isPublicSuffix: (host: string) => boolean): string | null => {
  if (host === "localhost") return "127.0.0.1";
  if (host === "127.0.0.1") return "localhost";
  const domain = domainOf(host, isPublicSuffix);
  if (domain === null) return null;
  if (host === domain) return `www.${domain}`;
  return host === `www.${domain}` ? domain : null;
};

/**
 * The name that somebody registered: a public suffix and one label more. Where no suffix is known, the last label is
 * one, as the list itself says (publicsuffix.org, "If no rules match, the prevailing rule is *").
 */
const domainOf = (host: string, isPublicSuffix: (host: string) => boolean): string | null => {
  if (/^[0-9.]+$|^\[/.test(host) || isPublicSuffix(host)) return null;
  const labels = host.split(".");
  const suffixAt = labels.findIndex((_, at) => at > 0 && isPublicSuffix(labels.slice(at).join(".")));
  const from = suffixAt === -1 ? labels.length - 2 : suffixAt - 1;
  return from < 0 ? null : labels.slice(from).join(".");
};
