import { expect, test } from "vitest";
import { locatedPlace, nowhere } from "./located-place.ts";

test.each([
  ["DE", "BY", "DE", "BY", true],
  ["DE", "", "DE", "", true],
  ["US", "NJ", "US", "NJ", false],
  ["GB", "ENG", "GB", "ENG", false],
  ["UK", "ENG", "GB", "ENG", false],
  ["EL", "", "GR", "", true],
  ["CH", "", "CH", "", false],
  ["NO", "", "NO", "", false],
  ["XK", "", "XK", "", false],
  ["US", "XX", "US", "", false],
])("%s %s is %s %s in ISO codes, in the EU: %s", (country, region, isoCountry, isoRegion, eu) => {
  const place = { country: isoCountry, region: isoRegion, eu, source: "geoip" };
  expect(locatedPlace({ country, region })).toEqual(place);
});

test.each(["", "ZZ", "EU", "A1", "de"])("the name %j is no country", (country) => {
  expect(locatedPlace({ country, region: "NJ" })).toEqual(nowhere);
});

test("nowhere is ZZ and has no region", () => {
  expect(nowhere).toEqual({ country: "ZZ", region: "", eu: false, source: "none" });
});

test("the European Union has 27 members", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const members = codes.filter((country) => locatedPlace({ country, region: "" }).eu);
  expect(members.filter((code) => code !== "EL")).toHaveLength(27);
});
