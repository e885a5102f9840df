import { isLoopbackHost } from "./loopback-host.ts";

/** Why calls of a page were refused, in words that lead to what is to be changed. */
export const refusedCallCodes = [
  "origin_not_registered",
  "insecure_origin",
  "wrong_public_key",
  "unknown_website",
  "rate_limited",
] as const;
export type RefusedCallCode = (typeof refusedCallCodes)[number];

/** Calls that were refused alike. Nothing about a visitor stands in it, and nothing that a caller made up but an origin. */
export type RefusedCall = {
  /** 0: the website that they named does not exist. */
  websiteId: number;
  /** Of the page; `""` when the call named none that could be one. */
  origin: string;
  code: RefusedCallCode;
};

/** So many of a website are kept, the newest: a stranger may make up origins without end. */
export const refusedCallsKept = 20;

/** A host name of 253 characters, its scheme and a port. */
const longestOrigin = 267;

/**
 * What is worth keeping of a call that was refused for its site; null when it tells nobody anything: it named no
 * website that exists, and came from no page that anybody registered.
 * @param site.websiteId of the website that the call named; null when there is none.
 * @param site.origin the `Origin` header as it was sent.
 * @param site.isOwnPage whether the origin is registered for that website.
 * @param site.isKnownPage whether it is registered for any.
 */
export function refusedCallOf(site: {
  websiteId: number | null;
  origin: string | undefined;
  isOwnPage: boolean;
  isKnownPage: boolean;
}): RefusedCall | null {
  const { websiteId, isOwnPage, isKnownPage } = site;
  const origin = originOf(site.origin);
  if (websiteId === null) return isKnownPage ? { websiteId: 0, origin, code: "unknown_website" } : null;
  if (isOwnPage) return { websiteId, origin, code: "wrong_public_key" };
  const isInsecure = origin.startsWith("http:") && !isLoopbackHost(new URL(origin).hostname);
  return { websiteId, origin, code: isInsecure ? "insecure_origin" : "origin_not_registered" };
}

/** What a browser writes, and nothing else: `null`, several origins and endless ones are `""`. */
const originOf = (header: string | undefined): string => {
  if (header === undefined || header.length > longestOrigin) return "";
  const url = URL.parse(header);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === header ? header : "";
};
