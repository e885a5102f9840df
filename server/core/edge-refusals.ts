import type { Location } from "@offers/contract/location";
import type { ServerEventBody } from "@offers/contract/server-events";
import {
  type KnownNetwork,
  type RefusalReason,
  requestLifetimes,
  unknownCountry,
} from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { coversLocation } from "./coverage.ts";
import { isSuppressed, type Suppression } from "./suppression.ts";

/** What a call says of whoever makes it. */
export type Caller = {
  /** Whether the list of robots and of programs knows its user agent. */
  isBot: boolean;
  hasUserAgent: boolean;
  /** Whether its address is one of the operator's own. */
  isInternal: boolean;
  /** What its address is known to belong to; null: anybody's. */
  network: KnownNetwork | null;
  /** Of a link: whether a page was opened by it, as far as the browser says. */
  isNavigation: boolean;
};

/** What can be seen of an event before it is stored. */
export type EdgeSight = {
  /** Null: a publisher's server reports what somebody else did, of whom nothing is seen here. */
  caller: Caller | null;
  /** What the address of the decision was known to belong to; null: anybody's, or it is not known. */
  decidedAt: KnownNetwork | null;
  /** Milliseconds since the decision whose requestId it names. */
  ageMs: number;
  /** Undefined: the catalogue knows no such offer. */
  offer: Offer | undefined;
  /** Whether the website's allowlist permits it. */
  isPermitted: boolean;
  /** What its visitor may not be shown whatever the allowlist permits; none: nothing, or it is not known. */
  suppression: Suppression | null | undefined;
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
  const { offer, location, caller, decidedAt } = sight;
  const reasons: RefusalReason[] = [];
  if (sight.ageMs > requestLifetimes.eventsSeconds * 1000) reasons.push("expired");
  if (isEngines(caller, decidedAt)) reasons.push("search_engine");
  if (caller?.isBot) reasons.push("bot");
  if (caller?.hasUserAgent === false) reasons.push("empty_user_agent");
  if (caller?.isNavigation === false) reasons.push("not_navigated");
  if (caller?.isInternal) reasons.push("internal_address");
  // Who is seen here is judged by where they are now; of whom a server speaks, the decision alone has seen the address.
  if ((caller === null ? decidedAt : caller.network) === "datacenter") reasons.push("datacenter");
  if (offer === undefined || !sight.isPermitted || isSuppressed(sight.suppression, offer.vertical)) {
    reasons.push("not_permitted");
  }
  if (sight.isPaused) reasons.push("paused");
  if (offer && location && isElsewhere(offer, location)) reasons.push("geo_mismatch");
  return reasons;
}

/**
 * The same of what a server reports: that it handed an offer out counts in a data centre too, as a page's decision and offers
 * do (decisions.md#data-centres).
 */
export function reportedRefusals(type: ServerEventBody["type"], sight: EdgeSight): RefusalReason[] {
  return edgeRefusals(sight).filter((reason) => type !== "served" || reason !== "datacenter");
}

/**
 * The reasons against a visit itself, its decision and its offers: it is answered as anybody's, and counts for nothing.
 * @param decidedAt as in `EdgeSight`.
 */
export function visitRefusals(decidedAt: KnownNetwork | null): RefusalReason[] {
  return isEngines(null, decidedAt) ? ["search_engine"] : [];
}

/** An engine fetches the parts of one page from many of its addresses, so it is one if any of them is known. */
function isEngines(caller: Pick<Caller, "network"> | null, decidedAt: KnownNetwork | null): boolean {
  return caller?.network === "search_engine" || decidedAt === "search_engine";
}

/** A country or region that is unknown now contradicts nothing, so the decision's location stands. */
function isElsewhere({ geoCoverage }: Offer, location: Location): boolean {
  if (location.country === unknownCountry || coversLocation(geoCoverage, location)) return false;
  return location.region !== "" || !geoCoverage.some((entry) => entry.startsWith(`${location.country}-`));
}
