import { requestLifetimes } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { openRequestId, type RequestFacts } from "../core/request-id.ts";
import type { Call } from "../http/call.ts";
import { previewRequest } from "../http/preview-call.ts";
import { Problem, parameterProblem } from "../http/problem.ts";
import { admitSite, isPageOf, originNotAllowed, registeredOrigin } from "../http/site-origin.ts";

/** Opens the requestId of a website's own decision, whatever its age. */
export function openOwnRequest(context: Context, requestId: string, website: Website): RequestFacts {
  const facts = openRequestId(context.tokenKeys, requestId);
  if (facts === null || facts.websiteId !== website.id) throw invalidRequestId();
  return facts;
}

/** The same while it still may fetch offers. */
export function openFreshRequest(context: Context, requestId: string, website: Website): RequestFacts {
  return freshOnly(context, openOwnRequest(context, requestId, website));
}

/** A requestId that still may fetch offers, of a decision for one of these websites, and which of them. */
export function openFreshRequestOfAny(
  context: Context,
  requestId: string,
  websites: readonly Website[],
): { facts: RequestFacts; website: Website } {
  const facts = openRequestId(context.tokenKeys, requestId);
  const website = facts && websites.find(({ id }) => id === facts.websiteId);
  if (!facts || !website) throw invalidRequestId();
  return { facts: freshOnly(context, facts), website };
}

function freshOnly(context: Context, facts: RequestFacts): RequestFacts {
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
  claim: EventClaim,
  call: Call,
  context: Context,
): { facts: RequestFacts; website: Website } {
  const preview = previewRequest(context, call, claim);
  if (preview !== null) return preview;
  const facts = openRequestId(context.tokenKeys, claim.requestId);
  const website = facts && context.store.catalogue().websiteById(facts.websiteId);
  const isOwnPage = website ? isPageOf(context, call, website) : false;
  // A stranger's page learns nothing of the requestId.
  if (!isOwnPage && registeredOrigin(context, call) === null) throw originNotAllowed();
  const claimed = claim.website && admitSite(context, call, { website: claim.website, pub: claim.pub });
  if (!facts || !website || !isOwnPage || (claimed && claimed.id !== website.id)) throw invalidRequestId();
  if (claim.pub !== undefined && claim.pub !== website.publicKey) throw originNotAllowed();
  return { facts, website };
}

const invalidRequestId = (): Problem =>
  parameterProblem("invalid_request_id", {
    parameter: "requestId",
    message: "must be the requestId of a decision for this website",
  });
