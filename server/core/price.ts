import type { PayoutModel } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/** The events that can be billed, as the ledger calls its bills. */
export const billedEvents = ["click", "impression"] as const;
export type BilledEvent = (typeof billedEvents)[number];

/**
 * What the advertiser pays for the offer's one billable event, in whole micro-units, 0 or more: a click for CPC,
 * an impression for CPM (the payout is per thousand; the catalogue takes multiples of 1000 only).
 * The other models bill nothing here.
 */
export function billablePriceMicros(offer: Pick<Offer, "payoutModel" | "payoutMicros">): number {
  switch (offer.payoutModel) {
    case "CPC":
      return offer.payoutMicros;
    case "CPM":
      return Math.floor(offer.payoutMicros / 1000);
    case "CPA":
    case "CPL":
    case "REVSHARE":
      return 0;
    default:
      return offer.payoutModel satisfies never;
  }
}

/** The event that a model bills, or null when it bills none of those the service sees. */
export function billedEvent(model: PayoutModel): BilledEvent | null {
  switch (model) {
    case "CPC":
      return "click";
    case "CPM":
      return "impression";
    case "CPA":
    case "CPL":
    case "REVSHARE":
      return null;
    default:
      return model satisfies never;
  }
}
