import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { type ClickRefs, clickIdBytes, createClickTokens } from "../core/click-token.ts";
import type { HandedOut } from "../core/journal-entry.ts";
import { billablePriceMicros } from "../core/price.ts";

/** An offer in its place of an answer. */
export type Slot = { offer: Offer; placement: "premium" | "standard"; position: number };

/** What is recorded of it: the price is fixed here, for the whole life of the request. */
export function handedOut({ offer, placement, position }: Slot): HandedOut {
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

/** Its link on this service, which knows the destination. */
export function trackingUrl(
  context: Context,
  requestId: ClickRefs["requestId"],
  { offer, placement, position }: Slot,
): string {
  const tokenOf = createClickTokens(context.tokenKeys, requestId, context.randomBytes(clickIdBytes));
  const token = tokenOf({ offerId: offer.id, placement, position });
  return `${context.baseUrl}/v1/r?t=${token}`;
}
