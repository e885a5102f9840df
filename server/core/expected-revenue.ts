import type { Offer } from "./catalogue.ts";

/** Click rate of an offer of which nothing is known yet. An assumption, until rates are learnt from counted events. */
const priorClickRate = 0.005;

/** Conversions per click of which nothing is known yet, by model. These are assumptions of the same kind. */
const priorConversionRate = { CPA: 0.02, CPL: 0.05, REVSHARE: 0.02 } as const;

/**
 * What one impression of the offer is expected to earn, in micro-units, 0 or more. A float: it serves to compare
 * offers, and never becomes money.
 */
export function expectedRevenue(offer: Pick<Offer, "payoutModel" | "payoutMicros">): number {
  switch (offer.payoutModel) {
    case "CPC":
      return priorClickRate * offer.payoutMicros;
    case "CPM":
      return offer.payoutMicros / 1000;
    case "CPA":
    case "CPL":
    case "REVSHARE":
      return priorClickRate * priorConversionRate[offer.payoutModel] * offer.payoutMicros;
    default:
      return offer.payoutModel satisfies never;
  }
}
