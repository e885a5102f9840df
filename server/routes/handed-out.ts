import type { RequestId } from "@offers/contract/ids";
import type { Context } from "../context.ts";
import { clickIdBytes, createClickTokens } from "../core/click-token.ts";
import type { PlacedOffer } from "../core/handed-out.ts";

/** An offer in its place of an answer to a page. */
export type Slot = PlacedOffer & { placement: "premium" | "standard" };

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
