import { expect, test } from "vitest";
import { isCountry, isRegion } from "./iso-codes.ts";

test.each(["DE", "GB", "GR", "US", "TW"])("%s is a country", (code) => {
  expect(isCountry(code)).toBe(true);
});

test.each(["ZZ", "UK", "EL", "XK", "EU", "DD", "SU", "de", "DEU", "", "D", "__proto__"])(
  "%j is no country",
  (code) => {
    expect(isCountry(code)).toBe(false);
  },
);

test.each(["US-NJ", "US-NY", "CA-QC", "GB-ENG", "DE-BY", "FR-75C", "CZ-10"])("%s is a region", (code) => {
  expect(isRegion(code)).toBe(true);
});

test.each(["US", "US-ZZ", "us-nj", "NJ", "US-", "ZZ-NJ", "US-NJX", ""])("%j is no region", (code) => {
  expect(isRegion(code)).toBe(false);
});
