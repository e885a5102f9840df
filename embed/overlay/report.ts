import type { ClientHints } from "@offers/contract/events";
import type { BlockedVisit } from "../wire/visit.ts";
import type { BlockingDecision } from "./read-decision.ts";
import type { Offer } from "./read-offers.ts";
import type { Seen } from "./watch-offer.ts";

/** Reports what happens to the offers of one decision. A click is told beside the navigation, never before it. */
export function reporter({ tag, send }: Pick<BlockedVisit, "tag" | "send">, decision: BlockingDecision) {
  const { requestId, country, region } = decision;
  const { pub, website } = tag;
  const about = ({ id, placement, position }: Offer) => ({
    requestId,
    offerId: id,
    placement,
    position,
    surface: "overlay",
    pub,
    website,
  });
  return {
    seen(offer: Offer, seen: Seen) {
      send("impression", { ...about(offer), clientHints: { ...clientHints(), ...seen } });
    },
    clicked(offer: Offer) {
      send("click", { ...about(offer), country, region: region || undefined });
    },
  };
}

/** What tells how an offer was seen; nothing that would tell one visitor from another. */
function clientHints(): ClientHints {
  return { viewportWidth: innerWidth, viewportHeight: innerHeight, devicePixelRatio };
}
