import type { DashErrorCode, ErrorCode } from "@offers/contract/problem";
import { isLoopbackHost } from "./loopback-host.ts";
import { longestOrigin } from "./origin.ts";

/** Why calls of a page were refused, in words that lead to what is to be changed. */
export const refusedCallCodes = [
  "origin_not_registered",
  "insecure_origin",
  "wrong_public_key",
  "unknown_website",
  "rate_limited",
] as const;
export type RefusedCallCode = (typeof refusedCallCodes)[number];

/** Who may learn of a refusal: a website by its number (0: the one that was named does not exist), or an API key by its id. */
export type RefusedSubject = `website:${number}` | `key:${string}`;

/** Stands for all that comes in an hour beyond the details that are kept of it. */
export const otherRefusals = "other";

/** Calls that were refused alike. Nothing about a visitor stands in it. */
export type RefusedCall = {
  subject: RefusedSubject;
  /** Of a website why, of an API key the code that the caller was told. */
  code: RefusedCallCode | ErrorCode | DashErrorCode | typeof otherRefusals;
  /** Of a website the page's origin, `""` when the call named none that could be one, and a wrong public key behind it. */
  detail: string;
};

/** So many details of an hour are kept of a subject, the first ones: a stranger may make up origins without end. */
export const refusedDetailsKept = 20;

/** The subject under which refusals of a website are kept. */
export function websiteSubject(websiteId: number): RefusedSubject {
  return `website:${websiteId}`;
}

/** The number of a subject's website; 0 when it is none. */
export function websiteIdOf(subject: RefusedSubject): number {
  return Number(/^website:(\d+)$/.exec(subject)?.[1] ?? 0);
}

/** The subject under which refusals of an API key are kept. */
export function keySubject(keyId: string): RefusedSubject {
  return `key:${keyId}`;
}

/**
 * What is worth keeping of a call that was refused for its site; null when it tells nobody anything: it named no
 * website that exists, and came from no page that anybody registered.
 * @param site.websiteId of the website that the call named; null when there is none.
 * @param site.origin the `Origin` header as it was sent.
 * @param site.pub the public key that it named, which is short and has no space; undefined: none.
 * @param site.isOwnPage whether the origin is registered for that website.
 * @param site.isKnownPage whether it is registered for any.
 */
export function refusedCallOf(site: {
  websiteId: number | null;
  origin: string | undefined;
  pub: string | undefined;
  isOwnPage: boolean;
  isKnownPage: boolean;
}): RefusedCall | null {
  const { websiteId, isOwnPage, isKnownPage, pub = "" } = site;
  const origin = originOf(site.origin);
  const subject = websiteSubject(websiteId ?? 0);
  if (websiteId === null) return isKnownPage ? { subject, code: "unknown_website", detail: origin } : null;
  if (isOwnPage) return { subject, code: "wrong_public_key", detail: `${origin} ${pub}` };
  const isInsecure = origin.startsWith("http:") && !isLoopbackHost(new URL(origin).hostname);
  return { subject, code: isInsecure ? "insecure_origin" : "origin_not_registered", detail: origin };
}

/** A call that was refused because its visitor's address is above a limit of the website. */
export function limitedCall(websiteId: number, origin: string | undefined): RefusedCall {
  return { subject: websiteSubject(websiteId), code: "rate_limited", detail: originOf(origin) };
}

/** The page's origin that a detail names, and the wrong public key behind it; null: it has none. */
export function readRefusedDetail(detail: string): { origin: string; pub: string | null } {
  const [origin = "", pub = ""] = detail.split(" ");
  return { origin, pub: pub === "" ? null : pub };
}

/** What a browser writes, and nothing else: `null`, several origins and endless ones are `""`. */
const originOf = (header: string | undefined): string => {
  if (header === undefined || header.length > longestOrigin) return "";
  const url = URL.parse(header);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === header ? header : "";
};
