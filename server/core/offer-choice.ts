import { type EmptyReason, offerSlots } from "@offers/contract/words";
import { visitBestFirst } from "./best-first.ts";
import type { Offer, Website } from "./catalogue.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { isEmptyAllowlist } from "./permission.ts";
import type { RequestFacts } from "./request-id.ts";
import type { RankedOffer, SortedOffers } from "./sorted-offers.ts";
import { screenOffers } from "./targeting.ts";

/** The offers of one answer, or why there is none. */
export type OfferChoice = { premium: Offer[]; standard: Offer[]; emptyReason: EmptyReason | null };

/**
 * Chooses what a request is shown: nothing when its visitor was let through to the page (outside section mode) or the
 * website is paused, else the best of what may be shown where the decision located it. In the premium slot stands the best offer that
 * is flagged for it, else the best of all; up to `limit` standard ones follow, best first, one offer a brand over
 * both. One request always ranks alike.
 * @param args.hasBudget whether the offer of this number can still pay for one of its events.
 * @param args.limit how many standard offers at the most, 0 to 20; left out: 6.
 */
export function chooseOffers(args: {
  facts: Pick<RequestFacts, "allowed" | "surface" | "country" | "region" | "request" | "suppression">;
  catalogue: Catalogue;
  website: Website;
  hasBudget: (offer: number) => boolean;
  limit?: number | undefined;
}): OfferChoice {
  const { facts, catalogue, website, hasBudget, limit = offerSlots.standard } = args;
  if (website.paused || (facts.allowed && facts.surface === "overlay")) return nothing("visitor_allowed");
  if (isEmptyAllowlist(website.allowlist)) return nothing("allowlist_empty");
  const { all, premium, mayShow } = catalogue.rankedOffersAt(website, facts);
  const screening = screenOffers({ hasBudget, suppression: facts.suppression });
  const takenBrands: string[] = [];
  const take = (lists: readonly SortedOffers[], most: number): RankedOffer[] => {
    const taken: RankedOffer[] = [];
    if (most === 0) return taken;
    visitBestFirst(lists, facts.request, (ranked) => {
      if (takenBrands.includes(ranked.brand) || !mayShow(ranked) || !screening.admits(ranked)) return "go on";
      takenBrands.push(ranked.brand);
      return taken.push(ranked) === most || hasNoOtherBrand(lists, takenBrands) ? "enough" : "go on";
    });
    return taken;
  };
  const first = take(premium, 1)[0] ?? take(all, 1)[0];
  if (first === undefined) return nothing(screening.emptyReason());
  return {
    premium: [first.offer],
    standard: take(all, limit).map(({ offer }) => offer),
    emptyReason: null,
  };
}

/** Whether all that follows would be skipped: three thousand offers may be of three brands. */
function hasNoOtherBrand(lists: readonly SortedOffers[], brands: readonly string[]): boolean {
  return lists.every(({ fewBrands }) => fewBrands?.every((brand) => brands.includes(brand)) ?? false);
}

function nothing(emptyReason: EmptyReason): OfferChoice {
  return { premium: [], standard: [], emptyReason };
}
