import type { Request } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { canonicalOrigin } from "../core/origin.ts";
import { Problem } from "./problem.ts";

/** Which site a call claims to come from; `pub` only where the route has it. */
export type SiteClaim = { website: string; pub?: string | undefined };

/**
 * Lets a call in when the website exists, the public key is its publisher's, and the page's origin is registered
 * for it. Which of the three failed is not told. The Referer is never asked.
 */
export function admitSite(context: Context, req: Request, claim: SiteClaim): Website {
  const catalogue = context.store.catalogue();
  const website = catalogue.website(claim.website);
  const origin = pageOrigin(req);
  if (website === undefined || origin === null) throw originNotAllowed();
  if (claim.pub !== undefined && claim.pub !== website.publicKey) throw originNotAllowed();
  if (!catalogue.hasOrigin(website, origin)) throw originNotAllowed();
  return website;
}

/** Lets a call in when its page's origin is registered for any website at all, and returns the origin. */
export function admitAnySite(context: Context, req: Request): string {
  const origin = pageOrigin(req);
  if (origin === null || !context.store.catalogue().isRegisteredOrigin(origin)) throw originNotAllowed();
  return origin;
}

/** The one canonical origin that a call names; null for none, `null`, several, or any other spelling. */
export function pageOrigin(req: Pick<Request, "headers">): string | null {
  return req.headers.origin === undefined ? null : canonicalOrigin(req.headers.origin);
}

export function originNotAllowed(): Problem {
  return new Problem(
    "origin_not_allowed",
    "The website, its public key and the page's origin do not belong together.",
  );
}
