import { offerSlots } from "@offers/contract/words";
import { brandKey } from "./brand-key.ts";
import type { Offer } from "./catalogue.ts";
import { expectedRevenue } from "./expected-revenue.ts";
import { stableHash } from "./stable-hash.ts";

/** An offer with what ranking asks of it, made once for each version of the offer. */
export type RankedOffer = {
  offer: Offer;
  /** What one impression is expected to earn: see `expectedRevenue`. */
  score: number;
  /** What two spellings of its brand have in common. */
  brand: string;
  /** The stable hash of its id. */
  hash: number;
};

/** Offers by falling score, those of equal score in the order of their ids. It never changes. */
export type SortedOffers = {
  offers: readonly RankedOffer[];
  /** For each place, the first place behind it whose score is another. */
  runEnds: Uint32Array;
  /** Their brands, where one answer can hold an offer of each; null: there are more. */
  fewBrands: readonly string[] | null;
};

/** As many brands as an answer holds at the most. */
const mostFewBrands = offerSlots.premium + offerSlots.standardMost;

/** Makes an offer ready to be ranked. */
export function rankedOffer(offer: Offer): RankedOffer {
  return {
    offer,
    score: expectedRevenue(offer),
    brand: brandKey(offer.brand),
    hash: stableHash(offer.id),
  };
}

/** Sorts offers. What is nearly in order already costs one comparison an offer. */
export function sortOffers(offers: readonly RankedOffer[]): SortedOffers {
  return sorted(offers.toSorted(byScoreThenId));
}

/** Keeps the offers that `isKept` says, in their order. */
export function filterOffers(
  { offers }: SortedOffers,
  isKept: (ranked: RankedOffer) => boolean,
): SortedOffers {
  return sorted(offers.filter(isKept));
}

function byScoreThenId(one: RankedOffer, other: RankedOffer): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.offer.id < other.offer.id ? -1 : 1;
}

function sorted(offers: readonly RankedOffer[]): SortedOffers {
  const runEnds = new Uint32Array(offers.length);
  for (let at = offers.length - 1; at >= 0; at -= 1) {
    const isSame = offers[at]?.score === offers[at + 1]?.score;
    runEnds[at] = isSame ? (runEnds[at + 1] ?? 0) : at + 1;
  }
  return { offers, runEnds, fewBrands: fewBrandsOf(offers) };
}

function fewBrandsOf(offers: readonly RankedOffer[]): readonly string[] | null {
  const brands = new Set<string>();
  for (const { brand } of offers) if (brands.add(brand).size > mostFewBrands) return null;
  return [...brands];
}
