import { isLoopbackHost } from "./loopback-host.ts";

/** "https://", a host name of 253 characters (RFC 1035 section 2.3.4), ":" and five digits. */
export const longestOrigin = 267;

/** The loosest text that can be canonical: the URL parser judges what is left (ports, IP addresses, punycode). */
const originShape =
  /^https?:\/\/(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:]{2,39}\])(?::[1-9][0-9]{0,4})?$/;

/**
 * The origin that a request's `Origin` header names, or null when it is none that may be registered:
 * `null`, anything but the one canonical spelling, or plain http to a host that is not loopback.
 */
export function canonicalOrigin(text: string): string | null {
  const url = parseCanonical(text);
  if (url === null) return null;
  return url.protocol === "https:" || isLoopbackHost(url.hostname) ? text : null;
}

/** The verdict on an origin that somebody wants to register; `message` tells what to change. */
export type RegisteredOriginVerdict = { ok: true; origin: string } | { ok: false; message: string };

/**
 * Checks an origin before it is saved with a website: canonical, https (http on loopback hosts only),
 * `https://*.example.com` for all sub-domains of a name.
 * @param isPublicSuffix whether a host is one under which strangers register names (`co.uk`, `github.io`).
 */
export function checkRegisteredOrigin(
  text: string,
  isPublicSuffix: (host: string) => boolean,
): RegisteredOriginVerdict {
  const wildcard = /^https?:\/\/\*\./.test(text);
  const plain = wildcard ? text.replace("*.", "") : text;
  const url = parseCanonical(plain);
  if (url === null) return refuse(adviceFor(plain, wildcard));
  const { protocol, hostname } = url;
  if (isLoopbackHost(hostname)) {
    return wildcard && !hostname.endsWith("localhost") ? refuse(noAddress) : { ok: true, origin: text };
  }
  if (protocol === "http:") return refuse("must be https; http is for loopback hosts such as localhost only");
  if (isAddress(hostname)) return wildcard ? refuse(noAddress) : { ok: true, origin: text };
  if (isPublicSuffix(hostname)) {
    return refuse(
      `${hostname} is a public suffix, under which anybody can have a site: name the site itself`,
    );
  }
  return { ok: true, origin: text };
}

const noAddress = "a wildcard stands before a domain name, not before an address";

function refuse(message: string): RegisteredOriginVerdict {
  return { ok: false, message };
}

/** Only a text that the URL parser gives back unchanged is canonical: that settles default ports, odd IPv4 and punycode. */
function parseCanonical(text: string): URL | null {
  if (text.length > longestOrigin || !originShape.test(text)) return null;
  const url = URL.parse(text);
  return url !== null && url.origin === text ? url : null;
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[0-9.]+$/.test(hostname);
}

/** Says how the origin should have been spelled, when the parser can tell. */
function adviceFor(plain: string, wildcard: boolean): string {
  const url = plain.includes("*") ? null : URL.parse(plain);
  const canonical = url === null || url.origin === "null" ? null : url.origin;
  if (canonical === null || parseCanonical(canonical) === null) {
    return "must be an origin such as https://www.example.com, or https://*.example.com for its sub-domains";
  }
  return `must be an exact origin: ${wildcard ? canonical.replace("://", "://*.") : canonical}`;
}
