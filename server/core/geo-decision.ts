import type { GeoRule } from "@offers/contract/catalogue";
import type { Location } from "@offers/contract/location";
import { type BlockReason, type RuleLine, unknownCountry } from "@offers/contract/words";
import type { Website } from "./catalogue.ts";

/** Whether a visitor sees the page as it is, and if not, why. */
export type GeoVerdict = { allowed: true } | { allowed: false; reason: BlockReason };

/** Applies a website's geo rule, unless the website is paused: then every visitor is allowed. */
export function decideFor(website: Pick<Website, "geoRule" | "paused">, location: Location): GeoVerdict {
  return website.paused ? allowed : decideByLocation(website.geoRule, location);
}

/**
 * Applies a website's geo rule to a resolved location. An entry with a region is more exact than its country;
 * a visitor whose region is unknown (`""`) meets no entry with a region.
 */
export function decideByLocation(rule: GeoRule, location: Location): GeoVerdict {
  if (isUnknown(location)) return rule.unknownLocation === "allow" ? allowed : blocked("location_unknown");
  const { country } = location;
  const entry = entryFor(rule, location);
  switch (rule.mode) {
    case "allowlist": {
      if (entry !== null) return allowed;
      const onlyPartly = rule.entries.some((other) => other.startsWith(`${country}-`));
      return blocked(onlyPartly ? "region_not_allowed" : "country_not_allowed");
    }
    case "blocklist":
      if (entry === null) return allowed;
      return blocked(entry === country ? "country_blocked" : "region_blocked");
    default:
      return rule.mode satisfies never;
  }
}

/** Whether nobody who is located sees the page, as with an allowlist whose entries were forgotten. */
export function blocksEveryPlace({ mode, entries }: Pick<GeoRule, "mode" | "entries">): boolean {
  return mode === "allowlist" && entries.length === 0;
}

/** Which line of a website's settings decides about a location, and the entry that is meant. */
export function ruleLineFor(
  { geoRule, paused }: Pick<Website, "geoRule" | "paused">,
  location: Location,
): { line: RuleLine; entry: string | null } {
  if (paused) return { line: "paused", entry: null };
  if (isUnknown(location)) return { line: "unknown_location", entry: null };
  const entry = entryFor(geoRule, location);
  return { line: entry === null ? "mode" : "entry", entry };
}

/** The country and region that an entry of a rule names: `DE`, or `US-NJ`. */
export function locationOf(entry: string): Location {
  const [country = "", region = ""] = entry.split("-");
  return { country, region };
}

function isUnknown({ country }: Location): boolean {
  return country === unknownCountry || country === "";
}

/** The most exact entry that names the location; null: none does. */
function entryFor({ entries }: GeoRule, { country, region }: Location): string | null {
  const ofRegion = region === "" ? "" : `${country}-${region}`;
  if (ofRegion !== "" && entries.includes(ofRegion)) return ofRegion;
  return entries.includes(country) ? country : null;
}

const allowed: GeoVerdict = { allowed: true };

function blocked(reason: BlockReason): GeoVerdict {
  return { allowed: false, reason };
}
