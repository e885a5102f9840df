import { unknownCountry } from "@offers/contract/words";
import type { Located } from "./geo.ts";
import { isCountry, isRegion } from "./iso-codes.ts";

/** The members of the European Union since 2020-02-01: https://european-union.europa.eu/principles-countries-history */
const members: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** Codes in use that ISO 3166-1 does not assign: the European Union's own for two countries. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["UK", "GB"],
  ["EL", "GR"],
]);

/** What is answered for an address that is in no data. */
export const nowhere: Located = Object.freeze({
  country: unknownCountry,
  region: "",
  eu: false,
  source: "none",
});

/** Puts what a data source says into ISO codes; what they do not know is unknown. */
export function locatedPlace(named: { country: string; region: string }): Located {
  const country = otherNames.get(named.country) ?? named.country;
  if (!isCountry(country)) return nowhere;
  const region = isRegion(`${country}-${named.region}`) ? named.region : "";
  return { country, region, eu: members.has(country), source: "geoip" };
}
