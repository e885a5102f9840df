import { expect, test } from "vitest";
import { isCountry, isRegion } from "./iso-codes.ts";

test.each(["DE", "GB", "GR", "US", "TW", "XK"])("%s is a country", (code) => {
  expect(isCountry(code)).toBe(true);
});

test.each(["ZZ", "UK", "EL", "EU", "DD", "SU", "de", "DEU", "", "D", "__proto__"])(
  "%j is no country",
  (code) => {
    expect(isCountry(code)).toBe(false);
  },
);

test.each(["US-NJ", "US-NY", "CA-QC", "GB-ENG", "DE-BY", "FR-75C", "CZ-10", "NO-31", "NO-46", "KZ-10"])(
  "%s is a region",
  (code) => {
    expect(isRegion(code)).toBe(true);
  },
);

test.each(["US", "US-ZZ", "us-nj", "NJ", "US-", "ZZ-NJ", "US-NJX", "", "NO-30", "NO-54", "PL-MZ"])(
  "%j is no region",
  (code) => {
    expect(isRegion(code)).toBe(false);
  },
);
