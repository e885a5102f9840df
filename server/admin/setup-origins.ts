import { parse } from "tldts";
import { isLoopbackHost } from "../core/loopback-host.ts";

/**
 * The origins of an address as somebody copies it from a browser: its own and the one by which the same pages are
 * reached as well, `www.` beside the bare name, and `127.0.0.1` beside `localhost`. A text that is no address comes back
 * as it is, for the rules of saving to refuse it.
 */
export function originsOf(address: string): string[] {
  const url = urlOf(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return [address];
  const other = otherHost(url.hostname);
  const port = url.port === "" ? "" : `:${url.port}`;
  return other === null ? [url.origin] : [url.origin, `${url.protocol}//${other}${port}`];
}

const urlOf = (address: string): URL | null => {
  if (address.includes("://")) return URL.parse(address);
  const bare = URL.parse(`http://${address}`);
  return bare !== null && isLoopbackHost(bare.hostname) ? bare : URL.parse(`https://${address}`);
};

const otherHost = (host: string): string | null => {
  if (host === "localhost") return "127.0.0.1";
  if (host === "127.0.0.1") return "localhost";
  const { domain } = parse(host, { allowPrivateDomains: true });
  if (domain === null) return null;
  if (host === domain) return `www.${domain}`;
  return host === `www.${domain}` ? domain : null;
};
