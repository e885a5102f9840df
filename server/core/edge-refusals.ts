import type { Location } from "@offers/contract/location";
import { type RefusalReason, requestLifetimes, unknownCountry } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { coversLocation } from "./coverage.ts";

/** What a call says of whoever makes it. */
export type Caller = {
  /** Whether the list of robots and of programs knows its user agent. */
  isBot: boolean;
  hasUserAgent: boolean;
  /** Whether its address is one of the operator's own. */
  isInternal: boolean;
  /** Of a link: whether a page was opened by it, as far as the browser says. */
  isNavigation: boolean;
};

/** What can be seen of an event before it is stored. */
export type EdgeSight = {
  /** Null: a publisher's server reports what somebody else did, of whom nothing is seen here. */
  caller: Caller | null;
  /** Milliseconds since the decision whose requestId it names. */
  ageMs: number;
  /** Undefined: the catalogue knows no such offer. */
  offer: Offer | undefined;
  isPermitted: boolean;
  /** Whether the advertiser's page may not be opened now. */
  isPaused: boolean;
  /** Where the address is now; null when that must not decide, as in a simulated visit. */
  location: Location | null;
};

/**
 * Lists every reason against an event that needs no store to be seen, in no meaningful order:
 * `firstRefusal` picks the one that is kept.
 */
export function edgeRefusals(sight: EdgeSight): RefusalReason[] {
  const { offer, location, caller } = sight;
  const reasons: RefusalReason[] = [];
  if (sight.ageMs > requestLifetimes.eventsSeconds * 1000) reasons.push("expired");
  if (caller?.isBot) reasons.push("bot");
  if (caller?.hasUserAgent === false) reasons.push("empty_user_agent");
  if (caller?.isNavigation === false) reasons.push("not_navigated");
  if (caller?.isInternal) reasons.push("internal_address");
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
