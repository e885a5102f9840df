import type { Placement } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import type { HandedOut } from "./journal-entry.ts";
import { billablePriceMicros } from "./price.ts";

/** An offer, and where it is to stand. */
export type PlacedOffer = { offer: Offer; placement: Placement; position: number };

/** What is recorded of an offer that is handed out: the price is fixed here, for the whole life of the request. */
export function handedOut({ offer, placement, position }: PlacedOffer): HandedOut {
  return {
    offer: offer.number,
    vertical: offer.vertical,
    placement,
    position,
    payoutModel: offer.payoutModel,
    priceMicros: billablePriceMicros(offer),
    currency: offer.currency,
  };
}
