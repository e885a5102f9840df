import type { OfferId } from "@offers/contract/ids";
import type { EventMark, Placement, RefusalReason, Surface } from "@offers/contract/words";
import { type CountedFact, type FactKey, factKeyOf } from "./fact.ts";
import type { RequestFacts } from "./request-id.ts";
import type { Suppression } from "./suppression.ts";

/** How a request is asked for: by its key, by the key of one of its events, or by its click's id. */
export type AskedRequest =
  | {
      by: "request";
      request: string;
      /** What its requestId says: nothing need be stored of a visitor who was let through. */
      websiteId: number;
      catalogue: number | null;
    }
  | { by: "event"; key: FactKey }
  | { by: "click"; clickId: string };

/**
 * What is to be looked for; null when the id is none that a service makes.
 * @param asked one of the three ids.
 * @param sealed what the requestId says; null: it was forged, or another id is given.
 */
export function askedRequest(
  asked: { eventId?: string | undefined; clickId?: string | undefined },
  sealed: RequestFacts | null,
): AskedRequest | null {
  if (sealed !== null) {
    const { request, websiteId, decidedBy } = sealed;
    return { by: "request", request, websiteId, catalogue: decidedBy?.catalogue ?? null };
  }
  if (asked.clickId !== undefined) return { by: "click", clickId: asked.clickId };
  const key = asked.eventId === undefined ? null : factKeyOf(asked.eventId);
  return key && { by: "event", key };
}

/** A stored fact of a request, as far as it explains something. */
export type StoryFact = FactKey &
  Omit<CountedFact, "cell"> & {
    overruled: RefusalReason | null;
    mark: EventMark | null;
    placement: Placement | null;
    position: number | null;
    beaconAt: number | null;
    rates: number | null;
    catalogue: number | null;
    geoSource: number | null;
  };

/** Where and on what a request was made. */
export type StoryPlace = {
  websiteId: number;
  country: string;
  region: string;
  surface: Surface;
  test: boolean;
  /** A `deviceNumber`. */
  device: number;
};

/** All that is stored of a request. */
export type RequestStory = {
  /** The request's key. */
  request: string;
  /** Null: nothing is stored. */
  place: StoryPlace | null;
  /** In the order of their times. */
  facts: readonly StoryFact[];
  /** Whether there are more. */
  hasMore: boolean;
  /** The fact that was asked for; null: the request was. */
  asked: FactKey | null;
  /** The ids of the offers that the facts name by their numbers. */
  offerIds: ReadonlyMap<number, OfferId>;
  /** What the visitor of a decline is not shown; undefined: not known, or not any more. */
  suppression: Suppression | null | undefined;
  /** Whether the website, and how many offers, have changed since the decision, or the answer; null: not known. */
  changed: { website: boolean; offers: number } | null;
};
