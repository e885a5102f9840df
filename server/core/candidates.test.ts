import { expect, test } from "vitest";
import { candidatesOf, createPromisingOrder, type SoughtFor } from "./candidates.ts";
import { type ClickRates, createLearntRates, type LearntRates } from "./click-rates.ts";
import { sampleOffer } from "./sample-catalogue.ts";
import { listOffers, rankedOffer } from "./sorted-offers.ts";

/** Offers that are paid by their views, so that what they promise is certain. */
const offersOf = (count: number, first: number, payoutMicros: number, brandOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => {
    const number = first + at;
    const named = { number, id: `offer_${String(number).padStart(4, "0")}`, brand: brandOf(at) };
    return rankedOffer(sampleOffer({ ...named, payoutModel: "CPM", payoutMicros }), 1);
  });

test.each([
  ["all of few, whatever their brands", { rich: 64, richBrands: 1, others: 0, brands: 3 }, 64],
  ["64 of many", { rich: 65, richBrands: 1, others: 0, brands: 1 }, 64],
  ["64 of many that have all brands that are wanted", { rich: 80, richBrands: 3, others: 5, brands: 3 }, 64],
  ["one of each brand more that is wanted", { rich: 80, richBrands: 1, others: 5, brands: 3 }, 66],
  [
    "one of each brand more that is wanted, of more than an answer can hold",
    { rich: 80, richBrands: 1, others: 25, brands: 9 },
    72,
  ],
  ["one of each brand more that there is", { rich: 80, richBrands: 1, others: 5, brands: 9 }, 69],
])("an answer chooses among %s", (_, { rich, richBrands, others, brands }, found) => {
  const lists = [
    listOffers(offersOf(others, 0, 1_000_000, (at) => `Other ${at}`)),
    listOffers(offersOf(rich, 500, 2_000_000, (at) => `Rich ${at % richBrands}`)),
  ];
  const rates = createLearntRates();
  const args = {
    ...{ request: "0123456789abcdef", country: "DE", rates, order: createPromisingOrder() },
    ...{ soughtFor: "both" as const, brands },
  };
  expect(candidatesOf(lists, { ...args, admits: () => true })).toHaveLength(found);
  const [gone] = lists[1]?.offers ?? [];
  const without = candidatesOf(lists, { ...args, admits: (ranked) => ranked !== gone });
  expect(without).not.toContain(gone);
  expect(without).toHaveLength(rich === 64 ? found - 1 : found);
});

/** 0.1 + 3 · √(0.1 · 0.9 / 11), and 0.02 + 3 · √(0.02 · 0.98 / 101) */
const [littleSeen, oftenSeen] = [371.36, 61.79];

test.each<[string, ClickRates, SoughtFor, number]>([
  [
    "the better of its places, with three standard deviations more than what is known",
    { premium: { clicks: 2, misses: 98 }, standard: { clicks: 1, misses: 9 } },
    ...(["both", littleSeen] as const),
  ],
  [
    "its premium place, too",
    { premium: { clicks: 1, misses: 9 }, standard: { clicks: 2, misses: 98 } },
    ...(["both", littleSeen] as const),
  ],
  [
    "its standard place alone, where it is sought for that",
    { premium: { clicks: 1, misses: 9 }, standard: { clicks: 2, misses: 98 } },
    ...(["standard", oftenSeen] as const),
  ],
  [
    "its premium place alone, where it is sought for that",
    { premium: { clicks: 2, misses: 98 }, standard: { clicks: 1, misses: 9 } },
    ...(["premium", oftenSeen] as const),
  ],
  [
    "never more than a click at every view",
    { premium: { clicks: 9, misses: 1 }, standard: { clicks: 1, misses: 9 } },
    ...(["both", 1000] as const),
  ],
])("an offer promises what it may earn at best: %s", (_, known, soughtFor, promised) => {
  const rates: LearntRates = {
    ...{ version: 1, of: () => known.standard, beforehand: () => 0, highestOf: () => 1 },
    ...{ drawnFrom: () => known, drawnFromOverall: () => known, isBetterIn: () => true },
    factorOn: () => ({ mean: 1, highest: 1 }),
  };
  const clicked = rankedOffer(sampleOffer({ payoutModel: "CPC", payoutMicros: 1000 }), 1);
  const sorted = createPromisingOrder()(listOffers([clicked]), rates, "DE", soughtFor);
  const score = expect.closeTo(promised, 2);
  expect(sorted.map(({ scores }) => [...scores])).toEqual([[score], [score]]);
});

test("a list is sorted once for each version of the rates, and once more in each country", () => {
  let clicks = 1;
  const known = (): ClickRates => ({ premium: { clicks, misses: 99 }, standard: { clicks, misses: 99 } });
  const rates = (version: number): LearntRates => ({
    ...{ version, of: () => known().standard, beforehand: () => 0, highestOf: () => 1 },
    ...{ drawnFrom: known, drawnFromOverall: known },
    isBetterIn: (_, country) => country === "DE",
    factorOn: () => ({ mean: 1, highest: 1 }),
  });
  const list = listOffers([rankedOffer(sampleOffer(), 1)]);
  const remembering = createPromisingOrder();
  const order = (of: typeof list, now: LearntRates, country: string) => remembering(of, now, country, "both");
  const [first, inGermany] = order(list, rates(1), "DE");
  clicks = 50;
  expect(order(list, rates(1), "DE")).toEqual([first, inGermany]);
  expect(order(list, rates(1), "DE")[1]).toBe(inGermany);
  expect(order(list, rates(1), "FR")).toMatchObject([first, { offers: [] }]);
  const [forStandard] = remembering(list, rates(1), "DE", "standard");
  expect(remembering(list, rates(1), "DE", "standard")[0]).toBe(forStandard);
  expect(order(list, rates(1), "DE")[0]).toBe(first);
  const second = order(list, rates(2), "DE");
  for (const [at, { scores }] of second.entries()) {
    expect(scores[0]).toBeGreaterThan([first, inGermany][at]?.scores[0] ?? Number.POSITIVE_INFINITY);
  }
  expect(order(list, rates(2), "DE")[0]).toBe(second[0]);
  // What is paid by its views is worth no more here, and has one place among its equals.
  const byViews = listOffers([rankedOffer(sampleOffer({ payoutModel: "CPM" }), 1)]);
  expect(order(byViews, rates(1), "DE")).toMatchObject([{ offers: byViews.offers }, { offers: [] }]);
});
