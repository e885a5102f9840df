import { type ServerDecisionAnswer, serverDecisionQuery } from "@offers/contract/server-decision";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { decideByLocation } from "../core/geo-decision.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import { sealRequestId } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { callerOf, requireApiKey } from "../http/api-key.ts";
import { hashNamedVisitor, locateNamedVisitor } from "../http/named-visitor.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { ownWebsite } from "../http/own-website.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { recordWaitMs } from "./decision.ts";
import { handedOut, type Slot, trackingUrl } from "./handed-out.ts";

/** GET /v1/decision with an API key: is this visitor shown the page, or an offer? */
export function serverDecisionRoute(context: Context): RouteHandlers {
  return [
    allowMethods("GET"),
    refuseWhenFull(context),
    requireApiKey(context, "decision:read"),
    decide(context),
  ];
}

const decide =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(serverDecisionQuery, req);
    const website = ownWebsite(context, callerOf(res), { parameter: "website", key: query.website });
    const visitor = hashNamedVisitor(context, req, { ...query, websiteId: website.id });
    const { country, region } = locateNamedVisitor(context, req, res, query);

    const { allowed } = decideByLocation(website.geoRule, { country, region });
    const at = context.clock();
    const surface = "overlay" as const;
    const shared = { websiteId: website.id, country, region, surface, test: website.development };
    const request = requestKeyOf(at, context.randomBytes(requestRandomBytes));
    const requestId = sealRequestId(
      context.tokenKeys,
      { ...shared, allowed, visitor: visitor?.today ?? null, issuedAt: at },
      request,
    );
    const slot = chooseOne(context, { allowed, request, country, region, surface }, website);
    if (!allowed) {
      const visit = { ...shared, request, at };
      const offer = slot && { offer: handedOut(slot) };
      await context.store.journal.keep(
        { kind: "blocked", visit, vertical: website.vertical, ...offer },
        recordWaitMs,
      );
    }
    replyJson(res, {
      decision: allowed ? "pass_through" : "serve_overlay",
      country,
      region,
      ...(slot && { offer: summaryOf(slot, trackingUrl(context, requestId, slot)) }),
      requestId,
    } satisfies ServerDecisionAnswer);
  };

type Facts = Parameters<typeof chooseOffers>[0]["facts"];

/** The best offer alone: what stands in the premium place of the embed's answer. */
const chooseOne = (
  context: Context,
  facts: Facts,
  website: Parameters<typeof chooseOffers>[0]["website"],
): Slot | null => {
  const { catalogue, hasBudget } = context.store;
  const { premium } = chooseOffers({ facts, website, catalogue: catalogue(), hasBudget, limit: 0 });
  const [offer] = premium;
  return offer === undefined ? null : { offer, placement: "premium", position: 1 };
};

const summaryOf = ({ offer }: Slot, url: string) => ({
  id: offer.id,
  vertical: offer.vertical,
  brand: offer.brand,
  url,
});
