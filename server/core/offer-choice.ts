import { type EmptyReason, offerSlots } from "@offers/contract/words";
import { type Audience, unknownAudience } from "./audience.ts";
import { candidatesOf } from "./candidates.ts";
import type { Offer, Website } from "./catalogue.ts";
import type { LearntRates, RatedPlacement } from "./click-rates.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { bestDrawn, type Draw } from "./drawn-order.ts";
import { handOutShare, isAmongShare, type PacedSpend } from "./pacing.ts";
import { isEmptyAllowlist } from "./permission.ts";
import type { RequestFacts } from "./request-id.ts";
import type { OfferList, RankedOffer } from "./sorted-offers.ts";
import { joinedHash, stableHash } from "./stable-hash.ts";
import { screenOffers } from "./targeting.ts";

/** The offers of one answer, or why there is none. */
export type OfferChoice = { premium: Offer[]; standard: Offer[]; emptyReason: EmptyReason | null };

/** What offers are chosen by, beside the request. */
export type Standing = {
  catalogue: Catalogue;
  rates: LearntRates;
  /** Whether the offer of this number can still pay for one of its events. */
  hasBudget: (offer: number) => boolean;
  /** How far the offer of this number has come with its day's budget; undefined: it is not spread over the day. */
  pacedSpend: (offer: number) => PacedSpend | undefined;
  /** The moment of the answer, in milliseconds since the epoch. */
  now: number;
};

/**
 * Chooses what a request is shown: nothing when its visitor was let through to the page (outside section mode) or the
 * website is paused, else the best of what may be shown where the decision located it. In the premium slot stands the best offer that
 * is flagged for it, else the best of all; up to `limit` standard ones follow, best first, one offer a brand over
 * both. One request ranks alike while catalogue and rates stand.
 * @param args.limit how many standard offers at the most, 0 to 20; left out: 6.
 */
export function chooseOffers(
  args: Standing & {
    facts: Pick<RequestFacts, "allowed" | "surface" | "country" | "region" | "request" | "suppression">;
    website: Website;
    limit?: number | undefined;
    /** Left out: nothing is known of the visitor. */
    visitor?: Audience | undefined;
  },
): OfferChoice {
  const { facts, catalogue, rates, website, hasBudget, pacedSpend, now, limit = offerSlots.standard } = args;
  const { visitor = unknownAudience } = args;
  if (website.paused || (facts.allowed && facts.surface === "overlay")) return nothing("visitor_allowed");
  if (isEmptyAllowlist(website.allowlist)) return nothing("allowlist_empty");
  const { all, premium, mayShow } = catalogue.rankedOffersAt(website, facts);
  const { suppression } = facts;
  const requestHash = stableHash(facts.request);
  const isItsTurn = ({ offer, hash }: RankedOffer): boolean => {
    const spend = offer.pacing === "even" ? pacedSpend(offer.number) : undefined;
    if (spend === undefined) return true;
    const { runningTime } = catalogue.schedules;
    const share = handOutShare(spend, now, (from, to) => runningTime(offer, from, to));
    return isAmongShare(share, joinedHash(requestHash, hash));
  };
  const screening = screenOffers({
    ...{ catalogue, rates, website, location: facts },
    ...{ hasBudget, isItsTurn, suppression, now, visitor },
  });
  const candidatesIn = (lists: readonly OfferList[], brands: number): RankedOffer[] =>
    candidatesOf(lists, {
      request: facts.request,
      rates,
      order: catalogue.promisingOrder,
      brands,
      admits: (ranked) => mayShow(ranked) && screening.admits(ranked),
    });
  const drawFor = (placement: RatedPlacement): Draw => ({
    requestHash,
    rateOf: ({ offer }) => rates.drawnFrom(offer, facts.country)[placement],
  });
  const candidates = candidatesIn(all, 1 + limit);
  const inPremium = drawFor("premium");
  const [first = bestDrawn(candidates, inPremium, { most: 1 })[0]] = bestDrawn(
    candidatesIn(premium, 1),
    inPremium,
    { most: 1 },
  );
  if (first === undefined) return nothing(screening.emptyReason());
  const standard = bestDrawn(candidates, drawFor("standard"), { most: limit, takenBrand: first.brand });
  return {
    premium: [first.offer],
    standard: standard.map(({ offer }) => offer),
    emptyReason: null,
  };
}

function nothing(emptyReason: EmptyReason): OfferChoice {
  return { premium: [], standard: [], emptyReason };
}
