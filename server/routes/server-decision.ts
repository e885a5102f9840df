import { type ServerDecisionQuery, serverDecisionQuery } from "@offers/contract/server-decision";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { deviceOf } from "../core/device-class.ts";
import { visitRefusals } from "../core/edge-refusals.ts";
import { decideFor } from "../core/geo-decision.ts";
import { handedOut } from "../core/handed-out.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import type { Answer } from "../http/call.ts";
import { type KeyCall, keyRoute } from "../http/key-route.ts";
import { fromQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { createServerDecisionText } from "./answer-text.ts";
import { decidedAs, recordWaitMs } from "./decision.ts";
import { linksOf, type Slot } from "./handed-out.ts";
import { ownWebsite } from "./own-website.ts";
import { locateNamedVisitor } from "./place.ts";
import { standingOf } from "./standing.ts";
import { addressOf, agentOf, beginVisit, hashNamedVisitor, knownNetworkOf } from "./visit.ts";

/** GET /v1/decision with an API key: is this visitor shown the page, or an offer? */
export function serverDecisionRoute(context: Context): Route {
  const textOf = createServerDecisionText();
  return keyRoute(context, "/v1/decision", {
    // decisions.md#servers-queries-are-closed
    asks: fromQuery(serverDecisionQuery, { refusesOthers: true, mayBeBlank: ["userAgent"] }),
    reply: (given) => decide(given, context, textOf),
  });
}

async function decide(
  { asked, caller, call }: KeyCall<ServerDecisionQuery>,
  context: Context,
  textOf: ReturnType<typeof createServerDecisionText>,
): Promise<Answer> {
  const website = ownWebsite(context, caller, { parameter: "website", key: asked.website });
  const client = addressOf(asked);
  const { userAgent } = asked;
  const visitor = hashNamedVisitor(context, call, { websiteId: website.id, client, userAgent });
  const { location, decidedBy, basis } = locateNamedVisitor(context, call, client);
  const verdict = decideFor(website, location);
  const { allowed } = verdict;
  const surface = "overlay" as const;
  const test = website.development;
  const facts = { websiteId: website.id, ...location, allowed, surface, test };
  // The server that asks stands in a data centre itself, and says nothing of its visitor by that.
  const network = knownNetworkOf(context, { client, test });
  const sealed = { ...facts, visitor, decidedBy, ...(network && { network }) };
  const { requestId, visit } = beginVisit(context, sealed, userAgent);
  const slot = chooseOne(context, { ...facts, request: visit.request }, website, userAgent);
  if (!allowed) {
    const offer = slot && { offer: handedOut(slot) };
    const rates = slot && context.store.rates().version;
    const { vertical } = website;
    const observed = visitRefusals(network);
    const entry = { kind: "blocked" as const, visit, vertical, ...offer, rates, decidedBy, observed };
    await context.store.journal.keep(entry, recordWaitMs);
  }
  const chosen = slot && { offer: slot.offer, link: linksOf(context, requestId, 1)(slot) };
  const answer = replyJsonText(textOf(requestId, location, allowed, chosen), basis);
  return { ...answer, outcome: decidedAs(verdict) };
}

type Facts = Parameters<typeof chooseOffers>[0]["facts"];

/** The best offer alone: what stands in the premium place of the embed's answer. */
const chooseOne = (
  context: Context,
  facts: Facts,
  website: Website,
  userAgent: string | undefined,
): Slot | null => {
  const visitor = { language: null, device: deviceOf(agentOf(context, userAgent).device) };
  const { premium } = chooseOffers({ facts, website, ...standingOf(context), limit: 0, visitor });
  const [offer] = premium;
  return offer === undefined ? null : { offer, placement: "premium", position: 1 };
};
