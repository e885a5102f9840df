import type { Location } from "@offers/contract/location";
import { type RefusalReason, requestLifetimes, unknownCountry } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { coversLocation } from "./coverage.ts";

/** What can be seen of an event before it is stored. */
export type EdgeSight = {
  /** Milliseconds since the decision whose requestId it names. */
  ageMs: number;
  /** Undefined: the catalogue knows no such offer. */
  offer: Offer | undefined;
  isPermitted: boolean;
  /** Whether the advertiser's page may not be opened now. */
  isPaused: boolean;
  /** Whether an address whose visitor has no hash clicked this offer before; with a hash the store can tell. */
  isRepeated: boolean;
  /** Where the address is now; null when that must not decide, as in a simulated visit. */
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
  if (sight.isRepeated) reasons.push("duplicate");
  if (!sight.isPermitted || offer === undefined) reasons.push("not_permitted");
  if (sight.isPaused) reasons.push("paused");
  if (offer && location && isElsewhere(offer, location)) reasons.push("geo_mismatch");
  return reasons;
}

/** A country or region that is unknown now contradicts nothing, so the decision's location stands. */
function isElsewhere({ geoCoverage }: Offer, location: Location): boolean {
  if (location.country === unknownCountry || coversLocation(geoCoverage, location)) return false;
  return location.region !== "" || !geoCoverage.some((entry) => entry.startsWith(`${location.country}-`));
}
