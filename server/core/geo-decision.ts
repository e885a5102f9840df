import type { GeoRule } from "@offers/contract/catalogue";
import type { Location } from "@offers/contract/location";
import { type BlockReason, unknownCountry } from "@offers/contract/words";
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
export function decideByLocation(rule: GeoRule, { country, region }: Location): GeoVerdict {
  if (country === unknownCountry || country === "") {
    return rule.unknownLocation === "allow" ? allowed : blocked("location_unknown");
  }
  const namesRegion = region !== "" && rule.entries.includes(`${country}-${region}`);
  const namesCountry = rule.entries.includes(country);
  switch (rule.mode) {
    case "allowlist": {
      if (namesRegion || namesCountry) return allowed;
      const onlyPartly = rule.entries.some((entry) => entry.startsWith(`${country}-`));
      return blocked(onlyPartly ? "region_not_allowed" : "country_not_allowed");
    }
    case "blocklist":
      if (namesRegion) return blocked("region_blocked");
      return namesCountry ? blocked("country_blocked") : allowed;
    default:
      return rule.mode satisfies never;
  }
}

const allowed: GeoVerdict = { allowed: true };

function blocked(reason: BlockReason): GeoVerdict {
  return { allowed: false, reason };
}
