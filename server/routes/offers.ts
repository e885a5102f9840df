import type { RequestId } from "@offers/contract/ids";
import { type OffersAnswer, offersQuery, type ServedOffer } from "@offers/contract/offers";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { clientAddress } from "../http/client-address.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { openFreshRequest } from "../http/own-request.ts";
import { limitRefusals, takeTurn } from "../http/rate-limit.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { admitSite } from "../http/site-origin.ts";
import { laterVisit } from "../http/visitor.ts";
import { handedOut, type Slot, trackingUrl } from "./handed-out.ts";

/** GET /v1/offers: what this visitor is shown instead of the page. */
export function offersRoute(context: Context): RouteHandlers {
  return [
    allowMethods("GET"),
    refuseWhenFull(context),
    serveOffers(context),
    limitRefusals(context, "offers"),
  ];
}

const serveOffers =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(offersQuery, req);
    const website = admitSite(context, req, query);
    const client = clientAddress(req, context.trustProxyHops);
    await takeTurn(context, res, "offers", { websiteId: website.id, client });
    const facts = openFreshRequest(context, query.requestId, website);

    const { hasBudget, catalogue, journal } = context.store;
    const choice = chooseOffers({ facts, website, catalogue: catalogue(), hasBudget, limit: query.limit });
    const slots = [...inSlots("premium", choice.premium), ...inSlots("standard", choice.standard)];
    if (slots.length > 0) {
      const visit = laterVisit(context, facts);
      const mark = query.country === facts.country ? null : "geo_mismatch";
      await journal.append({ kind: "served", visit, offers: slots.map(handedOut), mark });
    }
    const served = slots.map((slot) => servedOffer(context, query.requestId, slot));
    // `private` too: two visitors must not share an answer even behind a cache that was told to overrule no-store.
    res.setHeader("Cache-Control", "private, no-store");
    replyJson(res, {
      requestId: query.requestId,
      country: facts.country,
      region: facts.region,
      premium: served.filter(({ placement }) => placement === "premium"),
      standard: served.filter(({ placement }) => placement === "standard"),
      emptyReason: choice.emptyReason,
    } satisfies OffersAnswer);
  };

const inSlots = (placement: Slot["placement"], offers: readonly Offer[]): Slot[] =>
  offers.map((offer, index) => ({ offer, placement, position: index + 1 }));

/** Named member by member, so that nothing an offer learns later reaches a browser by itself. */
const servedOffer = (context: Context, requestId: RequestId, slot: Slot): ServedOffer => {
  const { offer, placement, position } = slot;
  return {
    id: offer.id,
    vertical: offer.vertical,
    brand: offer.brand,
    title: offer.title,
    description: offer.description,
    ctaText: offer.ctaText,
    imageUrl: offer.imageUrl,
    url: trackingUrl(context, requestId, slot),
    placement,
    position,
    disclosure: offer.disclosure,
    terms: offer.terms,
  };
};
