import { type EmptyReason, offerSlots } from "@offers/contract/words";
import type { Offer, Website } from "./catalogue.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { rankOffers } from "./ranking.ts";
import type { RequestFacts } from "./request-id.ts";
import { eligibleOffers } from "./targeting.ts";

/** The offers of one answer, or why there is none. */
export type OfferChoice = { premium: Offer[]; standard: Offer[]; emptyReason: EmptyReason | null };

/**
 * Chooses what a request is shown: nothing when its visitor was let through to the page (outside section mode),
 * else the best of what may be shown where the decision located it.
 * @param args.limit how many standard offers at the most, 0 to 20; left out: 6.
 */
export function chooseOffers(args: {
  facts: Pick<RequestFacts, "allowed" | "surface" | "country" | "region" | "request" | "suppression">;
  catalogue: Catalogue;
  website: Website;
  hasBudget: (offer: number) => boolean;
  limit?: number | undefined;
}): OfferChoice {
  const { facts, catalogue, website, hasBudget } = args;
  if (facts.allowed && facts.surface === "overlay") return nothing("visitor_allowed");
  const location = { country: facts.country, region: facts.region };
  const targeting = eligibleOffers({
    catalogue,
    website,
    location,
    hasBudget,
    suppression: facts.suppression,
  });
  if (targeting.outcome === "empty") return nothing(targeting.reason);
  const standardSlots = args.limit ?? offerSlots.standard;
  return { ...rankOffers(targeting.offers, { request: facts.request, standardSlots }), emptyReason: null };
}

function nothing(emptyReason: EmptyReason): OfferChoice {
  return { premium: [], standard: [], emptyReason };
}
