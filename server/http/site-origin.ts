import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { canonicalOrigin } from "../core/origin.ts";
import { type RefusedCall, refusedCallOf } from "../core/refused-call.ts";
import type { Call } from "./call.ts";
import { Problem } from "./problem.ts";

/** Which site a call claims to come from; `pub` only where the route has it. */
export type SiteClaim = { website: string; pub?: string | undefined };

/**
 * Lets a call in when the website exists, the public key is its publisher's, and the page's origin is registered
 * for it. Which of the three failed is not told (decisions.md#one-refusal-for-a-site), and the Referer is never asked
 * (decisions.md#origin-alone).
 */
export function admitSite(context: Context, call: Call, claim: SiteClaim): Website {
  const website = context.store.catalogue().website(claim.website);
  const isOwnPage = website !== undefined && isPageOf(context, call, website);
  if (isOwnPage && (claim.pub === undefined || claim.pub === website.publicKey)) return website;
  throw originNotAllowed(
    refusedCallOf({
      websiteId: website?.id ?? null,
      origin: call.headers.origin,
      pub: claim.pub,
      isOwnPage,
      isKnownPage: isOwnPage || registeredOrigin(context, call) !== null,
    }),
  );
}

/** Whether the call comes from a page of the website. */
export function isPageOf(context: Context, call: Call, website: Website): boolean {
  const { origin } = call.headers;
  return origin !== undefined && context.store.catalogue().hasOrigin(website, origin);
}

/** The page's origin when it is registered for any website at all; else null. */
export function registeredOrigin(context: Context, { headers }: Pick<Call, "headers">): string | null {
  const { origin } = headers;
  return origin !== undefined && context.store.catalogue().isRegisteredOrigin(origin) ? origin : null;
}

/** The one canonical origin that a call names; null for none, `null`, several, or any other spelling. */
export function pageOrigin({ headers }: Pick<Call, "headers">): string | null {
  return headers.origin === undefined ? null : canonicalOrigin(headers.origin);
}

/** @param refused what is kept of it for the publisher. */
export function originNotAllowed(refused: RefusedCall | null = null): Problem {
  return new Problem(
    "origin_not_allowed",
    "The website, its public key and the page's origin do not belong together.",
    { refused },
  );
}
