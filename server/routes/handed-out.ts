import type { RequestId } from "@offers/contract/ids";
import type { Placement } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { clickIdBytes, createClickTokens } from "../core/click-token.ts";
import type { HandedOut } from "../core/journal-entry.ts";
import { billablePriceMicros } from "../core/price.ts";

/** An offer, and where it is to stand. */
export type PlacedOffer = { offer: Offer; placement: Placement; position: number };

/** An offer in its place of an answer to a page. */
export type Slot = PlacedOffer & { placement: "premium" | "standard" };

/** What is recorded of it: the price is fixed here, for the whole life of the request. */
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

/** What a link has room for; behind it nobody tells places apart. */
const mostPosition = 65_535;

/** Makes the links of one answer's offers, each on this service, which knows the destination. */
export function linksOf(
  context: Context,
  requestId: RequestId,
  offers: number,
): (placed: PlacedOffer) => string {
  const random = context.randomBytes(offers * clickIdBytes);
  const tokenOf = createClickTokens(context.tokenKeys, requestId, random);
  return ({ offer, placement, position }) =>
    `${context.baseUrl}/v1/r?t=${tokenOf({ offerId: offer.id, placement, position: Math.min(position, mostPosition) })}`;
}
