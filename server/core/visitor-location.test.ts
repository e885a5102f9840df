import { expect, test } from "vitest";
import { type NamedLocation, visitorLocation } from "./visitor-location.ts";

const germany = { country: "DE", region: "BE" };
const unknown = { country: "ZZ", region: "" };

test.each([
  ["a located visitor is where the address is", germany, {}, null, "DE-BE", "address"],
  [
    "a hint never overrides a located address",
    germany,
    { country: "FR", region: "IDF" },
    null,
    "DE-BE",
    "address",
  ],
  ["nor does a hinted region alone", germany, { region: "BY" }, null, "DE-BE", "address"],
  ["a hint places an unlocated visitor", unknown, { country: "FR", region: "IDF" }, null, "FR-IDF", "hint"],
  ["a hinted country needs no region", unknown, { country: "FR" }, null, "FR-", "hint"],
  ["a hinted region without a country is nowhere", unknown, { region: "IDF" }, null, "ZZ-", "none"],
  [
    "a hint may say that it does not know either",
    unknown,
    { country: "ZZ", region: "IDF" },
    null,
    "ZZ-",
    "hint",
  ],
  ["a simulated country replaces a located one whole", germany, {}, { country: "US" }, "US-", "simulated"],
  ["a simulated region comes with it", germany, {}, { country: "US", region: "NJ" }, "US-NJ", "simulated"],
  ["a simulated country beats a hint", unknown, { country: "FR" }, { country: "US" }, "US-", "simulated"],
  ["unknown can be simulated", germany, {}, { country: "ZZ", region: "NJ" }, "ZZ-", "simulated"],
  ["a simulated region alone moves within the country", germany, {}, { region: "BY" }, "DE-BY", "simulated"],
  ["a simulated region of nowhere is nowhere", unknown, {}, { region: "BY" }, "ZZ-", "simulated"],
  ["a development website that simulates nothing is like any other", germany, {}, {}, "DE-BE", "address"],
] satisfies [string, typeof germany, NamedLocation, NamedLocation | null, string, string][])(
  "%s",
  (_, located, hinted, simulated, expected, basis) => {
    const found = visitorLocation({ located, hinted, simulated });
    expect(`${found.location.country}-${found.location.region}`).toBe(expected);
    expect(found.basis).toBe(basis);
  },
);
