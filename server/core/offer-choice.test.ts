import { expect, test } from "vitest";
import { createLearntRates } from "./click-rates.ts";
import { chooseOffers } from "./offer-choice.ts";
import type { RequestFacts } from "./request-id.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";

const website = sampleWebsite({ allowlist: sampleAllowlist({ mode: "all" }) });
const offers = Array.from({ length: 12 }, (_, at) =>
  sampleOffer({ id: `offer_${at}`, brand: `Brand ${at}`, geoCoverage: ["DE"] }),
);
const catalogue = sampleCatalogue({ websites: [website], offers });
const blocked: RequestFacts = {
  request: "0123456789abcdef",
  websiteId: website.id,
  country: "DE",
  region: "",
  allowed: false,
  surface: "overlay",
  test: false,
  visitor: null,
  issuedAt: 0,
};

test.each([
  ["a blocked visitor gets one premium and six standard offers", {}, undefined, true, "1+6"],
  ["the page may ask for fewer standard ones", {}, 2, true, "1+2"],
  ["or for more", {}, 20, true, "1+11"],
  ["a visitor who sees the page gets none beside it", { allowed: true }, undefined, true, "visitor_allowed"],
  ["unless the page has a section for them", { allowed: true, surface: "section" }, undefined, true, "1+6"],
  ["the decision's location is what counts", { country: "FR" }, undefined, true, "no_offer_for_location"],
  ["spent budgets say so", {}, undefined, false, "budgets_exhausted"],
] satisfies [string, Partial<RequestFacts>, number | undefined, boolean, string][])(
  "%s",
  (_, facts, limit, hasBudget, expected) => {
    const choice = chooseOffers({
      facts: { ...blocked, ...facts },
      catalogue,
      website,
      rates: createLearntRates(),
      hasBudget: () => hasBudget,
      ...unpaced,
      limit,
    });
    const counts = `${choice.premium.length}+${choice.standard.length}`;
    expect(choice.emptyReason ?? counts).toBe(expected);
    if (choice.emptyReason !== null) expect(counts).toBe("0+0");
  },
);
