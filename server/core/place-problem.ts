import { regionWithin } from "@offers/contract/location";
import { unknownCountry } from "@offers/contract/words";
import type { NamedLocation } from "./visitor-location.ts";

/** What has to be known of ISO 3166 to tell whether a place is real. */
export type PlaceRules = {
  /** ISO 3166-1 alpha-2, upper case. */
  isCountry: (code: string) => boolean;
  /** ISO 3166-2 with its country, upper case: `US-NJ`. */
  isRegion: (entry: string) => boolean;
};

/** The codes that others write for these countries. */
export const oftenMistaken: ReadonlyMap<string, string> = new Map([
  ["UK", "GB"],
  ["EL", "GR"],
]);

/**
 * Why a place that somebody names, in upper case, is none, and which half of it; null: it is one. `ZZ`, where the location is
 * unknown, is one without regions. A region without a country beside it names its own: `US-NJ`.
 */
export function placeProblem(
  { country, region }: NamedLocation,
  rules: PlaceRules,
): { field: "country" | "region"; message: string } | null {
  if (country !== undefined && country !== unknownCountry && !rules.isCountry(country)) {
    const instead = oftenMistaken.get(country);
    const hint = instead === undefined ? "" : `; ${country} is written ${instead}`;
    return { field: "country", message: `must be a country of ISO 3166-1 such as DE${hint}` };
  }
  if (region === undefined) return null;
  if (country === undefined) {
    const isReal = region.includes("-") && rules.isRegion(region);
    return isReal ? null : { field: "region", message: "must be a region by ISO 3166-2, such as US-NJ" };
  }
  const bare = regionWithin(country, region);
  if (bare !== null && rules.isRegion(`${country}-${bare}`)) return null;
  const other = bare === null ? `: ${region} names another country` : "";
  return { field: "region", message: `must be a region of ${country} by ISO 3166-2${other}` };
}
