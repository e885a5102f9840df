import { requestLifetimes } from "@offers/contract/words";
import type { Request } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { openRequestId, type RequestFacts } from "../core/request-id.ts";
import { Problem } from "./problem.ts";
import { admitAnySite, admitSite, originNotAllowed } from "./site-origin.ts";

/** Opens the requestId of a website's own decision, whatever its age. */
export function openOwnRequest(context: Context, requestId: string, website: Website): RequestFacts {
  const facts = openRequestId(context.tokenKeys, requestId);
  if (facts === null || facts.websiteId !== website.id) throw invalidRequestId();
  return facts;
}

/** The same while it still may fetch offers. */
export function openFreshRequest(context: Context, requestId: string, website: Website): RequestFacts {
  const facts = openOwnRequest(context, requestId, website);
  if (context.clock() - facts.issuedAt > requestLifetimes.offersSeconds * 1000) {
    throw new Problem("request_expired", "The requestId is too old to fetch offers. Ask for a new decision.");
  }
  return facts;
}

/** What the body of an event says of where it comes from. */
type EventClaim = { requestId: string; pub?: string | undefined; website?: string | undefined };

/**
 * Opens the requestId that an event names, whatever its age, and finds its website. `website` and `pub` may be
 * left out of the body; where they are given they must agree with it, as must the page's origin.
 */
export function openEventRequest(
  context: Context,
  req: Request,
  claim: EventClaim,
): { facts: RequestFacts; website: Website } {
  const catalogue = context.store.catalogue();
  const origin = admitAnySite(context, req);
  const claimed = claim.website && admitSite(context, req, { website: claim.website, pub: claim.pub });
  const facts = openRequestId(context.tokenKeys, claim.requestId);
  const website = facts && catalogue.websiteById(facts.websiteId);
  if (!facts || !website || (claimed && claimed.id !== website.id)) throw invalidRequestId();
  if (!catalogue.hasOrigin(website, origin)) throw invalidRequestId();
  if (claim.pub !== undefined && claim.pub !== website.publicKey) throw originNotAllowed();
  return { facts, website };
}

const invalidRequestId = (): Problem => {
  const message = "must be the requestId of a decision for this website";
  return new Problem("invalid_request_id", `requestId ${message}.`, {
    errors: [{ parameter: "requestId", message }],
  });
};
