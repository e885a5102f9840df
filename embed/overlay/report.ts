import type { ClientHints } from "@offers/contract/events";
import type { Surface } from "@offers/contract/words";
import { pageRecord } from "../loader/page-record.ts";
import type { Visit } from "../wire/visit.ts";
import type { Granted } from "./read-decision.ts";
import type { Offer, Offers } from "./read-offers.ts";
import { type Seen, watchOffer } from "./watch-offer.ts";

// With the page, as a lost file may bring this code twice.
const record = pageRecord(globalThis as never);
record.reported ??= new Set();
const { reported } = record;

/**
 * Reports what happens to the offers of one request, to the service and to the page. A click is told beside the
 * navigation, never before it.
 */
export function reporter(
  { tag, send, tell }: Pick<Visit, "tag" | "send" | "tell">,
  granted: Pick<Granted, "requestId" | "country" | "region">,
  surface: Surface,
) {
  const { requestId, country, region } = granted;
  const { pub, website } = tag;
  const endings: (() => void)[] = [];
  const tellOf = (event: "impression" | "click", { id, brand, placement, position }: Offer) =>
    tell(event, { website, surface, offerId: id, brand, placement, position });
  const about = ({ id, placement, position }: Offer) => ({
    requestId,
    offerId: id,
    placement,
    position,
    surface,
    pub,
    website,
  });
  const seen = (offer: Offer, how: Seen) => {
    const impression = requestId + offer.id;
    if (reported.has(impression)) return;
    reported.add(impression);
    // They tell how an offer was seen; the service keeps the window's size and resolution roughly.
    const clientHints: ClientHints = {
      viewportWidth: innerWidth,
      viewportHeight: innerHeight,
      devicePixelRatio,
      ...how,
    };
    send("impression", { ...about(offer), clientHints });
    tellOf("impression", offer);
  };
  return {
    seen,
    clicked(offer: Offer): void {
      send("click", { ...about(offer), country, region: region || undefined });
      tellOf("click", offer);
    },
    /** The offers stand in the page, each as the element at the same index. */
    shown(elements: readonly Element[], offers: Offers): void {
      const offerIds = offers.map(({ id }) => id);
      if (offerIds.length > 0) send("drawn", { requestId, offerIds, surface, pub, website });
      offers.forEach((offer, index) => {
        const element = elements[index];
        if (element) endings.push(watchOffer(element, (how) => seen(offer, how)));
      });
      tell("shown", { website, surface, offers: offers.length });
    },
    /** The visitor is not to be shown this again today. */
    dismissed(): void {
      send("dismiss", { requestId, surface, pub, website });
    },
    /** The offers are gone from the page, and are watched no longer. */
    ended(): void {
      for (const end of endings.splice(0)) end();
    },
  };
}
