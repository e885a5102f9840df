import { expect, test } from "vitest";
import { placeName } from "./place-name.ts";

test.each([
  ["en", "DE", "", "Germany"],
  ["de", "US", "NJ", "Vereinigte Staaten · NJ"],
  ["en", "CA", "QC", "Canada · QC"],
  ["en", "AU", "NSW", "Australia · NSW"],
  ["en", "DE", "BE", "Germany"],
  ["ja", "JP", "13", "日本"],
  ["fr", "FR", "IDF", "France"],
  ["ar", "SA", "", "المملكة العربية السعودية"],
  ["en", "ZZ", "", ""],
])("in %s, %s %s is %j", (language, country, region, name) => {
  expect(placeName(language, country, region)).toBe(name);
});

test.each([
  ["en", "not a country"],
  ["no language!", "DE"],
])("what cannot be named is left out: %s, %s", (language, country) => {
  expect(placeName(language, country, "")).toBe("");
});
