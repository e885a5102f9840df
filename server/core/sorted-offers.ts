import { offerSlots } from "@offers/contract/words";
import { brandKey } from "./brand-key.ts";
import type { Offer } from "./catalogue.ts";
import { type Worth, worthOf } from "./expected-revenue.ts";
import { compilePublishers, type ForPublishers } from "./offered-to.ts";
import { stableHash } from "./stable-hash.ts";

/** An offer with what ranking asks of it, made once for each version of the offer and of its currency's rate. */
export type RankedOffer = {
  offer: Offer;
  worth: Worth;
  /** What two spellings of its brand have in common. */
  brand: string;
  /** The stable hash of its id. */
  hash: number;
  isForPublisher: ForPublishers;
};

/** Offers by falling score, those of equal score in the order of their ids. It never changes. */
export type SortedOffers = {
  offers: readonly RankedOffer[];
  /** The score of each, by which they are sorted. */
  scores: Float64Array;
  /** For each place, the first place behind it whose score is another. */
  runEnds: Uint32Array;
};

/** Offers in the order of their ids. It never changes. */
export type OfferList = {
  offers: readonly RankedOffer[];
  /** Their brands, where one answer can hold an offer of each; null: there are more. */
  fewBrands: readonly string[] | null;
};

/** How many brands an answer holds at the most. */
const mostFewBrands = offerSlots.premium + offerSlots.standardMost;

/** Makes an offer ready to be ranked; `rate` as in `worthOf`. */
export function rankedOffer(offer: Offer, rate: number | null): RankedOffer {
  return {
    offer,
    worth: worthOf(offer, rate),
    brand: brandKey(offer.brand),
    hash: stableHash(offer.id),
    isForPublisher: compilePublishers(offer),
  };
}

/** Lists offers. What is nearly in order already costs one comparison an offer. */
export function listOffers(offers: readonly RankedOffer[]): OfferList {
  return listed(offers.toSorted((one, other) => (one.offer.id < other.offer.id ? -1 : 1)));
}

/** Keeps the offers that `isKept` says, in their order. */
export function filterOffers({ offers }: OfferList, isKept: (ranked: RankedOffer) => boolean): OfferList {
  return listed(offers.filter(isKept));
}

/** Sorts offers by their scores. */
export function sortOffers(
  { offers }: Pick<OfferList, "offers">,
  scoreOf: (ranked: RankedOffer) => number,
): SortedOffers {
  const scored = offers.map((ranked) => ({ ranked, score: scoreOf(ranked) })).sort(byScoreThenId);
  const scores = Float64Array.from(scored, ({ score }) => score);
  const runEnds = new Uint32Array(scored.length);
  for (let at = scored.length - 1; at >= 0; at -= 1) {
    runEnds[at] = scores[at] === scores[at + 1] ? (runEnds[at + 1] ?? 0) : at + 1;
  }
  return { offers: scored.map(({ ranked }) => ranked), scores, runEnds };
}

type Scored = { ranked: RankedOffer; score: number };

function byScoreThenId(one: Scored, other: Scored): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.ranked.offer.id < other.ranked.offer.id ? -1 : 1;
}

function listed(offers: readonly RankedOffer[]): OfferList {
  const brands = new Set<string>();
  for (const { brand } of offers) {
    if (brands.add(brand).size > mostFewBrands) return { offers, fewBrands: null };
  }
  return { offers, fewBrands: [...brands] };
}
