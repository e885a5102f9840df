import type { Location } from "@offers/contract/location";
import { type RefusalReason, requestLifetimes, unknownCountry } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { coversLocation } from "./coverage.ts";

/** What can be seen of an event before it is stored. */
export type EdgeSight = {
  /** Milliseconds since the decision whose requestId it names. */
  ageMs: number;
  /** Above the limit of calls, where the limit is silent. */
  isAboveRate: boolean;
  /** Undefined: no such offer, or none any more. */
  offer: Offer | undefined;
  isPermitted: boolean;
  /** Whether its advertiser's page is out of reach now. */
  isPaused: boolean;
  /** Whether an address whose visitor has no hash clicked this offer before; with a hash the store can tell. */
  isRepeated: boolean;
  /** Where the address is now; null when it does not matter, or may not (a simulated visit). */
  location: Location | null;
};

/**
 * Lists every reason against an event that needs no store to be seen, in no meaningful order:
 * `firstRefusal` picks the one that is kept.
 */
export function edgeRefusals(sight: EdgeSight): RefusalReason[] {
  const { offer, location } = sight;
  const reasons: RefusalReason[] = [];
  if (sight.ageMs > requestLifetimes.eventsSeconds * 1000) reasons.push("expired");
  if (sight.isAboveRate) reasons.push("rate");
  if (sight.isRepeated) reasons.push("duplicate");
  if (!sight.isPermitted || offer === undefined) reasons.push("not_permitted");
  if (sight.isPaused) reasons.push("paused");
  if (offer && location && isElsewhere(offer, location)) reasons.push("geo_mismatch");
  return reasons;
}

/** What is unknown of the address contradicts nothing: as far as that, the decision's location stands. */
function isElsewhere({ geoCoverage }: Offer, location: Location): boolean {
  if (location.country === unknownCountry || coversLocation(geoCoverage, location)) return false;
  return location.region !== "" || !geoCoverage.some((entry) => entry.startsWith(`${location.country}-`));
}
