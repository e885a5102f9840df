import type { RequestId } from "@offers/contract/ids";
import { type OffersAnswer, type OffersQuery, offersQuery, type ServedOffer } from "@offers/contract/offers";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import type { Answer } from "../http/call.ts";
import { type PageCall, pageRoute } from "../http/page-route.ts";
import { fromQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { admitSite } from "../http/site-origin.ts";
import { handedOut, type Slot, trackingUrl } from "./handed-out.ts";
import { openFreshRequest } from "./own-request.ts";
import { laterVisit } from "./visit.ts";

/** GET /v1/offers: what this visitor is shown instead of the page. */
export function offersRoute(context: Context): Route {
  return pageRoute(context, "/v1/offers", {
    asks: fromQuery(offersQuery),
    admit: (query, call) => ({ website: admitSite(context, call, query) }),
    reply: serveOffers,
  });
}

async function serveOffers(
  { asked, website, client, call }: PageCall<OffersQuery>,
  context: Context,
): Promise<Answer> {
  const facts = openFreshRequest(context, asked.requestId, website);
  const { hasBudget, catalogue, journal } = context.store;
  const choice = chooseOffers({ facts, website, catalogue: catalogue(), hasBudget, limit: asked.limit });
  const slots = [...inSlots("premium", choice.premium), ...inSlots("standard", choice.standard)];
  if (slots.length > 0) {
    const visit = laterVisit(context, facts);
    const mark = asked.country === facts.country ? null : "geo_mismatch";
    await journal.append({ kind: "served", visit, offers: slots.map(handedOut), mark });
  }
  const served = slots.map((slot) => servedOffer(context, asked.requestId, slot));
  return replyJson(
    {
      requestId: asked.requestId,
      country: facts.country,
      region: facts.region,
      premium: served.filter(({ placement }) => placement === "premium"),
      standard: served.filter(({ placement }) => placement === "standard"),
      emptyReason: choice.emptyReason,
    } satisfies OffersAnswer,
    // `private` too: two visitors must not share an answer even behind a cache that was told to overrule no-store.
    ["Cache-Control", "private, no-store"],
  );
}

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
