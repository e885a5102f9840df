import { expect, test } from "vitest";
import { createRegionReader } from "./current-region.ts";
import { placeInRecord } from "./mmdb-place.ts";

const regionOf = createRegionReader();

test.each([
  [
    "GeoIP2 City",
    { country: { iso_code: "US" }, subdivisions: [{ iso_code: "NJ", names: { en: "New Jersey" } }] },
    "US",
    "NJ",
  ],
  [
    "GeoIP2 of a part and its part",
    {
      country: { iso_code: "GB" },
      subdivisions: [{ iso_code: "ENG", names: { en: "England" } }, { iso_code: "LND" }],
    },
    "GB",
    "ENG",
  ],
  [
    "GeoIP2 with a withdrawn code",
    {
      country: { iso_code: "KZ" },
      subdivisions: [{ iso_code: "VOS" }],
      city: { names: { en: "Semey" } },
    },
    "KZ",
    "10",
  ],
  ["GeoLite2 Country", { country: { iso_code: "DE" }, registered_country: { iso_code: "US" } }, "DE", ""],
  ["a network of which only the registration is known", { registered_country: { iso_code: "US" } }, "", ""],
  [
    "DB-IP, whose regions are names",
    { country: { iso_code: "PL" }, subdivisions: [{ names: { en: "Mazovia" } }] },
    "PL",
    "14",
  ],
  ["ip-location-db", { country_code: "GB", state1: "England", city: "Brentwood" }, "GB", "ENG"],
  ["IPinfo Lite", { country: "Germany", country_code: "DE", continent: "Europe" }, "DE", ""],
  ["IPinfo of before", { country: "US", region: "California", city: "Los Angeles" }, "US", "CA"],
  [
    "IPinfo Core",
    { country: "Norway", country_code: "NO", region: "Vestland", region_code: "46" },
    "NO",
    "46",
  ],
  ["IP2Location", { country_code: "za", region_name: "Gauteng" }, "ZA", "GP"],
  [
    "IP2Location in MaxMind's layout",
    { country: { iso_code: "FR" }, subdivisions: [{ names: { en: "Ile-de-France" } }] },
    "FR",
    "IDF",
  ],
  ["a region that is none", { country: { iso_code: "DE" }, subdivisions: [{ iso_code: "QQ" }] }, "DE", ""],
  ["a network without a country", { autonomous_system_number: 3320 }, "", ""],
  ["a list", [], "", ""],
  ["nothing", null, "", ""],
])("%s", (_, record, country, region) => {
  expect(placeInRecord(record, regionOf)).toEqual({ country, region });
});
