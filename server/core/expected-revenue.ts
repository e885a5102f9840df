import { assumedConversionBasisPoints } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/**
 * What an offer is expected to earn, in micro-units of the currency that offers are compared in: for being seen, and
 * for a click. Floats: they serve to compare offers, and never become money.
 */
export type Worth = {
  perView: number;
  perClick: number;
  /** False: its currency cannot be compared with others, and the amounts are of that currency. */
  isComparable: boolean;
};

/** What the worth of an offer comes of. */
export type PricedOffer = Pick<Offer, "payoutModel" | "payoutMicros" | "conversionRateBasisPoints">;

/**
 * The worth of an offer.
 * @param rate what one unit of its currency is worth in the currency of the comparison; null: nobody knows.
 */
export function worthOf(offer: PricedOffer, rate: number | null): Worth {
  const micros = offer.payoutMicros * (rate ?? 1);
  const isComparable = rate !== null;
  switch (offer.payoutModel) {
    case "CPC":
      return { perView: 0, perClick: micros, isComparable };
    case "CPM":
      return { perView: micros / 1000, perClick: 0, isComparable };
    case "CPA":
    case "CPL":
    case "REVSHARE": {
      const basisPoints = offer.conversionRateBasisPoints ?? assumedConversionBasisPoints[offer.payoutModel];
      return { perView: 0, perClick: micros * (basisPoints / 10_000), isComparable };
    }
    default:
      return offer.payoutModel satisfies never;
  }
}

/** What one impression is expected to earn at a click rate, in micro-units. */
export function expectedRevenue({ perView, perClick }: Worth, clickRate: number): number {
  return perView + perClick * clickRate;
}

/**
 * What offers are ranked by: the greater goes first. It is the expected revenue, but where that cannot be compared it is
 * below 0, and rises with it: such offers come behind all others, in an order of their own.
 */
export function scoreOf(worth: Worth, clickRate: number): number {
  const revenue = expectedRevenue(worth, clickRate);
  return worth.isComparable ? revenue : -1 / (1 + revenue);
}
