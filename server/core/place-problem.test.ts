import { expect, test } from "vitest";
import { placeProblem } from "./place-problem.ts";

const rules = {
  isCountry: (code: string) => ["DE", "US", "GB"].includes(code),
  isRegion: (entry: string) => ["US-NJ", "DE-BE"].includes(entry),
};

test.each([
  ["nowhere named", {}],
  ["a country", { country: "DE" }],
  ["an unknown location", { country: "ZZ" }],
  ["a region in its country", { country: "US", region: "NJ" }],
  ["a region that names its country", { country: "US", region: "US-NJ" }],
  ["a region alone that names its country", { region: "DE-BE" }],
])("%s is a place", (_, place) => {
  expect(placeProblem(place, rules)).toBeNull();
});

test.each([
  [{ country: "XX" }, "country", "must be a country of ISO 3166-1 such as DE"],
  [{ country: "UK" }, "country", "must be a country of ISO 3166-1 such as DE; UK is written GB"],
  [{ country: "XX", region: "NJ" }, "country", "must be a country of ISO 3166-1 such as DE"],
  [{ country: "US", region: "BE" }, "region", "must be a region of US by ISO 3166-2"],
  [
    { country: "DE", region: "US-NJ" },
    "region",
    "must be a region of DE by ISO 3166-2: US-NJ names another country",
  ],
  [{ country: "ZZ", region: "NJ" }, "region", "must be a region of ZZ by ISO 3166-2"],
  [{ region: "US-BE" }, "region", "must be a region by ISO 3166-2, such as US-NJ"],
  [{ region: "NJ" }, "region", "must be a region by ISO 3166-2, such as US-NJ"],
])("%j is none, for its %s", (place, field, message) => {
  expect(placeProblem(place, rules)).toEqual({ field, message });
});
