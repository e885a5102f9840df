import { expect, test } from "vitest";
import { type NamedLocation, visitorLocation } from "./visitor-location.ts";

const germany = { country: "DE", region: "BE" };
const unknown = { country: "ZZ", region: "" };

test.each([
  ["a located visitor is where the address is", germany, {}, null, "DE-BE"],
  ["a hint never overrides a located address", germany, { country: "FR", region: "IDF" }, null, "DE-BE"],
  ["nor does a hinted region alone", germany, { region: "BY" }, null, "DE-BE"],
  ["a hint places an unlocated visitor", unknown, { country: "FR", region: "IDF" }, null, "FR-IDF"],
  ["a hinted country needs no region", unknown, { country: "FR" }, null, "FR-"],
  ["a hinted region without a country is nowhere", unknown, { region: "IDF" }, null, "ZZ-"],
  ["a hint may say that it does not know either", unknown, { country: "ZZ", region: "IDF" }, null, "ZZ-"],
  ["a simulated country replaces a located one whole", germany, {}, { country: "US" }, "US-"],
  ["a simulated region comes with it", germany, {}, { country: "US", region: "NJ" }, "US-NJ"],
  ["a simulated country beats a hint", unknown, { country: "FR" }, { country: "US" }, "US-"],
  ["unknown can be simulated", germany, {}, { country: "ZZ", region: "NJ" }, "ZZ-"],
  ["a simulated region alone moves within the country", germany, {}, { region: "BY" }, "DE-BY"],
  ["a simulated region of nowhere is nowhere", unknown, {}, { region: "BY" }, "ZZ-"],
  ["a development website that simulates nothing is like any other", germany, {}, {}, "DE-BE"],
] satisfies [string, typeof germany, NamedLocation, NamedLocation | null, string][])(
  "%s",
  (_, located, hinted, simulated, expected) => {
    const { country, region } = visitorLocation({ located, hinted, simulated });
    expect(`${country}-${region}`).toBe(expected);
  },
);
