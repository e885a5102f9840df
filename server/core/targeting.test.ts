import fc from "fast-check";
import { expect, test } from "vitest";
import type { Offer, Website } from "./catalogue.ts";
import { createLearntRates } from "./click-rates.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite } from "./sample-catalogue.ts";
import { suppressionOf } from "./suppression.ts";
import { eligibleOffers } from "./targeting.ts";

const location = { country: "DE", region: "" };
const abroad = sampleOffer({ number: 1, id: "offer_abroad", geoCoverage: ["FR"] });
const loan = sampleOffer({ number: 2, id: "offer_loan", geoCoverage: ["DE"], vertical: "loans" });
const here = sampleOffer({ number: 3, id: "offer_here", geoCoverage: ["DE"] });
const nothingAllowed = sampleAllowlist({ mode: "allowlist" });
const othersAllowed = sampleAllowlist({ mode: "allowlist", allow: { verticals: ["travel"] } });

test.each([
  ["one that covers the place", { offers: [here, abroad] }, "offer_here"],
  ["no offer at all", { offers: [] }, "no_offer_for_location"],
  ["only offers for elsewhere", { offers: [abroad] }, "no_offer_for_location"],
  ["only paused ones", { offers: [{ ...here, status: "paused" }] }, "no_offer_for_location"],
  [
    "only ones the allowlist keeps out",
    { offers: [here], allowlist: othersAllowed },
    "no_offer_for_location",
  ],
  ["an empty allowlist", { offers: [here], allowlist: nothingAllowed }, "allowlist_empty"],
  ["an empty allowlist and no offer", { offers: [], allowlist: nothingAllowed }, "allowlist_empty"],
  ["only one that has not begun", { offers: [{ ...here, startsAt: "2026-05-05" }] }, "no_offer_for_visit"],
  ["only one of other hours", { offers: [{ ...here, hours: ["0-9"] }] }, "no_offer_for_visit"],
  ["only one for another language", { offers: [{ ...here, languages: ["de"] }] }, "no_offer_for_visit"],
  ["only one for another device", { offers: [{ ...here, devices: ["phone"] }] }, "no_offer_for_visit"],
  ["only spent ones", { offers: [here, abroad], spent: ["offer_here"] }, "budgets_exhausted"],
  ["a spent one for elsewhere", { offers: [abroad], spent: ["offer_abroad"] }, "no_offer_for_location"],
  [
    "a spent one that the allowlist keeps out",
    { offers: [here], spent: ["offer_here"], allowlist: othersAllowed },
    "no_offer_for_location",
  ],
  ["only one that is suppressed", { offers: [here], suppressed: ["books"] }, "suppressed"],
  ["a suppressed one and another", { offers: [here, loan], suppressed: ["books"] }, "offer_loan"],
  ["one of which nothing is suppressed", { offers: [here], suppressed: ["loans"] }, "offer_here"],
  ["a suppressed one for elsewhere", { offers: [abroad], suppressed: ["books"] }, "no_offer_for_location"],
  [
    "a spent one beside a suppressed one",
    { offers: [here, loan], spent: ["offer_loan"], suppressed: ["books"] },
    "suppressed",
  ],
  [
    "one that is spent and suppressed",
    { offers: [here], spent: ["offer_here"], suppressed: ["books"] },
    "budgets_exhausted",
  ],
  [
    "a suppressed one on an empty allowlist",
    { offers: [here], suppressed: ["books"], allowlist: nothingAllowed },
    "allowlist_empty",
  ],
] satisfies [string, Situation, string][])("%s", (_, given: Situation, expected) => {
  const { offers, spent = [], suppressed = [], allowlist = sampleAllowlist({ mode: "all" }) } = given;
  const website = sampleWebsite({ allowlist });
  const catalogue = sampleCatalogue({ websites: [website], offers });
  const suppression = suppressionOf({ reason: null, verticals: suppressed }) ?? undefined;
  const spentNumbers = offers.filter(({ id }) => spent.includes(id)).map(({ number }) => number);
  const hasBudget = (offer: number) => !spentNumbers.includes(offer);
  const found = eligibleOffers({
    catalogue,
    rates: createLearntRates(),
    website,
    location,
    hasBudget,
    suppression,
    now: Date.parse("2026-05-04T10:00Z"),
    visitor: { language: "fr", device: "desktop" },
  });
  expect(found.outcome === "offers" ? found.offers.map(({ id }) => id).join() : found.reason).toBe(expected);
});

type Situation = {
  offers: Offer[];
  spent?: string[];
  suppressed?: string[];
  allowlist?: Website["allowlist"];
};

const brands = ["Acme", "ACME", "Bolt", "Crest"];
const verticals = ["books", "travel", "games"];
const places = ["*", "DE", "US", "US-NJ", "US-NY", "FR"];
const ids = Array.from({ length: 8 }, (_, at) => `offer_${at}`);

const someNames = fc.record({
  brands: fc.subarray(brands),
  verticals: fc.subarray(verticals),
  offers: fc.subarray(ids),
});
const noNames = sampleAllowlist({ mode: "all" }).block;
const someOffer = fc.record({
  brand: fc.constantFrom(...brands),
  vertical: fc.constantFrom(...verticals),
  geoCoverage: fc.subarray(places, { minLength: 1 }),
  status: fc.constantFrom("active" as const, "active" as const, "paused" as const),
  hasBudget: fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0),
});
const someCatalogue = fc.record({
  offers: fc.array(someOffer, { maxLength: ids.length }),
  allowlist: fc.record({
    mode: fc.constantFrom("allowlist" as const, "all" as const),
    allow: someNames,
    block: fc.oneof({ weight: 3, arbitrary: fc.constant(noNames) }, { arbitrary: someNames, weight: 1 }),
  }),
  ownBrand: fc.constantFrom("", "acme", "Bolt"),
  location: fc.record({
    country: fc.constantFrom("DE", "US", "GB", "ZZ"),
    region: fc.constantFrom("", "NJ"),
  }),
});

test("in 10,000 catalogues exactly the eligible offers are found", () => {
  let shown = 0;
  fc.assert(
    fc.property(someCatalogue, ({ offers: rows, allowlist, ownBrand, location: place }) => {
      const website = sampleWebsite({ allowlist, ownBrand });
      const offers = rows.map(({ hasBudget: _, ...row }, at) =>
        sampleOffer({ ...row, number: at + 1, id: ids[at] ?? "" }),
      );
      const found = eligibleOffers({
        catalogue: sampleCatalogue({ websites: [website], offers }),
        website,
        location: place,
        rates: createLearntRates(),
        hasBudget: (offer) => rows[offer - 1]?.hasBudget ?? false,
      });
      const got = found.outcome === "offers" ? found.offers.map(({ id }) => id).toSorted() : [];
      const wanted = offers
        .filter((offer, at) => isPlainlyEligible(offer, website, place, rows[at]?.hasBudget ?? false))
        .map(({ id }) => id);
      expect(got).toEqual(wanted);
      shown += got.length;
    }),
    { numRuns: 10_000 },
  );
  expect(shown).toBeGreaterThan(2_000);
});

/** The rule once more, offer by offer and without an index. */
function isPlainlyEligible(
  offer: Offer,
  { allowlist, ownBrand }: Website,
  { country, region }: { country: string; region: string },
  hasBudget: boolean,
): boolean {
  const brand = offer.brand.toLowerCase();
  const isNamed = (names: Website["allowlist"]["allow"]) =>
    names.brands.some((name) => name.toLowerCase() === brand) ||
    names.verticals.includes(offer.vertical) ||
    names.offers.includes(offer.id);
  const covers = offer.geoCoverage.some(
    (place) => place === "*" || place === country || (region !== "" && place === `${country}-${region}`),
  );
  const permitted =
    (allowlist.mode === "all" || isNamed(allowlist.allow)) &&
    !isNamed(allowlist.block) &&
    brand !== ownBrand.toLowerCase();
  return offer.status === "active" && hasBudget && covers && permitted;
}
