import { type EmptyReason, offerSlots, type RemovalReason } from "@offers/contract/words";
import type { SupposedAudience } from "./audience.ts";
import { candidatesOf, type SoughtFor } from "./candidates.ts";
import type { Offer, Website } from "./catalogue.ts";
import type { LearntRates, RatedPlacement } from "./click-rates.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { bestDrawn, type Draw, type DrawnParts, drawnParts } from "./drawn-order.ts";
import { isOfferedTo } from "./offered-to.ts";
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

/** What is to be chosen for whom. */
export type Choosing = Standing & {
  facts: Pick<RequestFacts, "allowed" | "surface" | "country" | "region" | "request" | "suppression">;
  website: Website;
  /** How many standard offers at the most, 0 to 20; left out: 6. */
  limit?: number | undefined;
  /** Left out: it does not matter for whom offers are. */
  visitor?: SupposedAudience | undefined;
};

/**
 * Chooses what a request is shown: nothing when its visitor was let through to the page (outside section mode) or the
 * website is paused, else the best of what may be shown where the decision located it. In the premium slot stands the best offer that
 * is flagged for it, else the best of all; up to `limit` standard ones follow, best first, one offer a brand over
 * both. One request ranks alike while catalogue and rates stand.
 */
export function chooseOffers(args: Choosing): OfferChoice {
  const considered = consider(args);
  if (considered.outcome !== "some") {
    return { premium: [], standard: [], emptyReason: considered.emptyReason };
  }
  const { first, standard } = considered;
  const { limit = offerSlots.standard } = args;
  return {
    premium: [first.offer],
    standard: standard(limit).map(({ offer }) => offer),
    emptyReason: null,
  };
}

/** Why an offer of the catalogue is not chosen, or which rank it has among those that are. */
export type ExplainedOffer = {
  offer: Offer;
  /** Whether the operator offers it to the website's publisher. */
  isOffered: boolean;
  /** The first rule that removed it; null: none did. */
  removedBy: RemovalReason | null;
  /** From 1, which has the premium place; null: it was removed. */
  rank: number | null;
  /** The place of the answer whose click rates it was ranked by; null: it was removed. */
  rankedFor: RatedPlacement | null;
  /** What its rank comes of; it tells prices. Null: it was removed. */
  parts(): (DrawnParts & RankedOffer["worth"]) | null;
};

/** What would be chosen, and for each offer of the catalogue why, asked one by one: there may be many. */
export type ExplainedChoice = { emptyReason: EmptyReason | null; offers: Iterable<ExplainedOffer> };

/**
 * Chooses as `chooseOffers` does with that limit, and goes on to say of every offer of the catalogue where it stands
 * or which rule has removed it. What is asked is the choice itself; no rule is written down a second time. An answer with
 * fewer standard offers than its limit has all brands, so it is explained as well with their number as the limit.
 */
export function explainOffers(args: Choosing): ExplainedChoice {
  const considered = consider(args);
  const all = [...args.catalogue.rankedOffers()];
  if (considered.outcome === "unasked") {
    const { emptyReason } = considered;
    return { emptyReason, offers: all.map((ranked) => removed(ranked, emptyReason, args.website)) };
  }
  const isActiveThere = membersOf(args.catalogue.activeOffersAt(args.facts));
  const isListed = membersOf(considered.lists);
  const isSome = considered.outcome === "some";
  const order = isSome ? [considered.first, ...considered.standard(considered.candidates.length)] : [];
  const rankOf = new Map(order.map((ranked, at) => [ranked, at + 1]));
  const isCandidate = new Set(isSome ? considered.candidates : []);
  const removedBy = (ranked: RankedOffer): RemovalReason => {
    if (ranked.offer.status === "paused") return "paused";
    if (!isActiveThere.has(ranked)) return "no_offer_for_location";
    // An allowlist in the narrower sense leaves its lists without what it does not permit.
    const refusal = isListed.has(ranked)
      ? considered.refusalOf(ranked)
      : whyNotPermitted(ranked, args.website);
    return refusal ?? (isCandidate.has(ranked) ? "brand_shown" : "less_promising");
  };
  const explained = (ranked: RankedOffer): ExplainedOffer => {
    const rank = rankOf.get(ranked);
    if (rank === undefined || !isSome) return removed(ranked, removedBy(ranked), args.website);
    const rankedFor = rank === 1 ? "premium" : "standard";
    const parts = () => ({ ...drawnParts(ranked, considered.drawFor(rankedFor)), ...ranked.worth });
    return { offer: ranked.offer, isOffered: true, removedBy: null, rank, rankedFor, parts };
  };
  return { emptyReason: isSome ? null : considered.emptyReason, offers: each(all, explained) };
}

type Judged = {
  /** What the website may show at the place, as far as its allowlist in the narrower sense says. */
  lists: readonly OfferList[];
  /** Why an offer of the lists is kept out; null: it is let through. */
  refusalOf(ranked: RankedOffer): RemovalReason | null;
};

type Considered =
  | { outcome: "unasked"; emptyReason: EmptyReason }
  | ({ outcome: "none"; emptyReason: EmptyReason } & Judged)
  | ({
      outcome: "some";
      candidates: readonly RankedOffer[];
      /** The one in the premium place. */
      first: RankedOffer;
      /** The best of the others, best first, at most so many. */
      standard(most: number): RankedOffer[];
      drawFor(placement: RatedPlacement): Draw;
    } & Judged);

/** Whether a visit sees its page as it is, and so no offer at all. */
export function seesThePage(
  website: Pick<Website, "paused">,
  { allowed, surface }: Pick<RequestFacts, "allowed" | "surface">,
): boolean {
  return website.paused || (allowed && surface === "overlay");
}

/** Finds the offers that the request may be shown, and their order. */
function consider(args: Choosing): Considered {
  const { facts, catalogue, rates, website, hasBudget, pacedSpend, now, visitor } = args;
  const { limit = offerSlots.standard } = args;
  if (seesThePage(website, facts)) return { outcome: "unasked", emptyReason: "visitor_allowed" };
  if (isEmptyAllowlist(website.allowlist)) return { outcome: "unasked", emptyReason: "allowlist_empty" };
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
    ...{ catalogue, rates, website, location: facts, surface: facts.surface },
    ...{ hasBudget, isItsTurn, suppression, now, visitor },
  });
  const refusalOf = (ranked: RankedOffer): RemovalReason | null =>
    mayShow(ranked) ? screening.refusalOf(ranked) : whyNotPermitted(ranked, website);
  const candidatesIn = (lists: readonly OfferList[], soughtFor: SoughtFor, brands: number): RankedOffer[] =>
    candidatesOf(lists, {
      request: facts.request,
      country: facts.country,
      rates,
      order: catalogue.promisingOrder,
      soughtFor,
      brands,
      admits: (ranked) => refusalOf(ranked) === null,
    });
  const { mean: factor } = rates.factorOn(website.id, facts.surface);
  const drawFor = (placement: RatedPlacement): Draw => ({
    requestHash,
    factor,
    rateOf: ({ offer }) => rates.drawnFrom(offer, facts.country)[placement],
  });
  const inPremium = drawFor("premium");
  const [flagged] = bestDrawn(candidatesIn(premium, "premium", 1), inPremium, { most: 1 });
  // Beside a flagged one the others never stand in the premium place, so nothing is ever learnt of them there.
  const candidates = candidatesIn(all, flagged === undefined ? "both" : "standard", 1 + limit);
  const first = flagged ?? bestDrawn(candidates, inPremium, { most: 1 })[0];
  if (first === undefined) {
    return { outcome: "none", emptyReason: screening.emptyReason(), lists: all, refusalOf };
  }
  const standard = (most: number): RankedOffer[] =>
    bestDrawn(candidates, drawFor("standard"), { most, takenBrand: first.brand });
  return { outcome: "some", lists: all, refusalOf, candidates, first, standard, drawFor };
}

/** Why the website may not show an offer: what the operator says goes before what its publisher says. */
function whyNotPermitted(ranked: RankedOffer, { publisherId }: Website): RemovalReason {
  return isOfferedTo(ranked, publisherId) ? "not_permitted" : "not_offered";
}

function membersOf(lists: readonly OfferList[]): ReadonlySet<RankedOffer> {
  return new Set(lists.flatMap(({ offers }) => offers));
}

function removed(ranked: RankedOffer, removedBy: RemovalReason, { publisherId }: Website): ExplainedOffer {
  const isOffered = isOfferedTo(ranked, publisherId);
  return { offer: ranked.offer, isOffered, removedBy, rank: null, rankedFor: null, parts: () => null };
}

function* each<From, To>(all: Iterable<From>, make: (one: From) => To): Generator<To> {
  for (const one of all) yield make(one);
}
