import { expect, it } from "vitest";
import { looksOtherwise } from "./offer-look.ts";
import { sampleOffer } from "./sample-catalogue.ts";

it.each([
  ["a title", { title: "Other" }, true],
  ["a picture", { imageUrl: "https://pier.example/other.svg" }, true],
  ["a landing address", { landingUrl: "https://pier.example/other" }, true],
  ["a translation", { locales: { de: { title: "Anders" } } }, true],
  ["a price", { payoutMicros: 7 }, false],
  ["places", { geoCoverage: ["FR"] }, false],
  ["nothing", {}, false],
])("with %s in place of another an offer looks otherwise or not", (_, change, expected) => {
  expect(looksOtherwise(sampleOffer(), sampleOffer(change))).toBe(expected);
});
