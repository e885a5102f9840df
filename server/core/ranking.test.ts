import fc from "fast-check";
import { expect, test } from "vitest";
import type { Offer } from "./catalogue.ts";
import { expectedRevenue } from "./expected-revenue.ts";
import { rankOffers } from "./ranking.ts";
import { sampleOffer } from "./sample-catalogue.ts";

const offer = (id: string, over: Partial<Offer> = {}) =>
  sampleOffer({ brand: id, ...over, id: `offer_${id}` });

function ranked(offers: Offer[], standardSlots = 6, request = "request-1") {
  const { premium, standard } = rankOffers(offers, { request, standardSlots });
  const names = (some: Offer[]) => some.map(({ id }) => id.slice("offer_".length)).join();
  return { premium: names(premium), standard: names(standard) };
}

const low = offer("low", { payoutMicros: 100 });
const mid = offer("mid", { payoutMicros: 200 });
const high = offer("high", { payoutMicros: 300 });
const cheapPremium = offer("cheap", { payoutMicros: 50, premium: true });
const dearPremium = offer("dear", { payoutMicros: 60, premium: true });

test.each([
  ["nothing to rank", [], 6, "", ""],
  ["the best is premium when none is flagged", [low, high, mid], 6, "high", "mid,low"],
  ["a flagged one is premium though it earns less", [low, cheapPremium, high], 6, "cheap", "high,low"],
  ["the best of the flagged is premium", [cheapPremium, high, dearPremium], 6, "dear", "high,cheap"],
  ["one alone is premium", [low], 6, "low", ""],
  ["one standard slot", [low, mid, high], 1, "high", "mid"],
  ["no standard slot", [low, mid, high], 0, "high", ""],
  ["the better of one brand", [high, offer("x", { brand: "MID", payoutMicros: 150 }), mid], 6, "high", "mid"],
  [
    "the better of one brand, met later",
    [high, offer("x", { brand: "b", payoutMicros: 150 }), offer("y", { brand: "B", payoutMicros: 250 }), mid],
    6,
    "high",
    "y,mid",
  ],
  [
    "the premium offer's brand is not repeated, even by its better offer",
    [cheapPremium, offer("x", { brand: "CHEAP", payoutMicros: 900 }), low],
    6,
    "cheap",
    "low",
  ],
] satisfies [string, Offer[], number, string, string][])("%s", (_, offers, slots, premium, standard) => {
  for (const order of [offers, offers.toReversed()]) {
    expect(ranked(order, slots)).toEqual({ premium, standard });
  }
});

test.each([
  ["CPC", 1_000_000, 5_000],
  ["CPM", 5_000_000, 5_000],
  ["CPA", 50_000_000, 5_000],
  ["CPL", 20_000_000, 5_000],
  ["REVSHARE", 50_000_000, 5_000],
] as const)(
  "%s with a payout of %d is expected to earn %d an impression",
  (payoutModel, payoutMicros, revenue) => {
    expect(expectedRevenue({ payoutModel, payoutMicros })).toBeCloseTo(revenue, 6);
  },
);

test("one request ranks alike each time, in whatever order the offers come", () => {
  const tied = Array.from({ length: 12 }, (_, at) => offer(`t${at}`));
  expect(ranked(tied, 6)).toEqual(ranked(tied.toReversed(), 6));
});

test("over many requests equal offers take the first place about equally often", () => {
  const tied = ["a", "b", "c", "d"].map((id) => offer(id));
  const wins = new Map<string, number>();
  for (let request = 0; request < 4_000; request += 1) {
    const { premium } = ranked(tied, 6, `request-${request}`);
    wins.set(premium, (wins.get(premium) ?? 0) + 1);
  }
  for (const { id } of tied) expect(wins.get(id.slice("offer_".length))).toBeGreaterThan(850);
});

const someOffers = fc.array(
  fc.record({
    brand: fc.constantFrom("a", "A", "b", "c", "d", "e"),
    payoutMicros: fc.integer({ min: 0, max: 5 }),
    premium: fc.boolean(),
  }),
  { maxLength: 12 },
);

test("no brand stands twice, nothing better is left out, and the best come first", () => {
  fc.assert(
    fc.property(someOffers, fc.integer({ min: 0, max: 4 }), (rows, standardSlots) => {
      const offers = rows.map((row, at) => sampleOffer({ ...row, id: `offer_${at}` }));
      const { premium, standard } = rankOffers(offers, { request: "r", standardSlots });
      const shown = [...premium, ...standard];
      const brands = shown.map(({ brand }) => brand.toLowerCase());
      expect(new Set(brands).size).toBe(brands.length);
      const allBrands = new Set(offers.map(({ brand }) => brand.toLowerCase()));
      expect(premium).toHaveLength(Math.min(1, allBrands.size));
      expect(standard).toHaveLength(Math.min(standardSlots, Math.max(0, allBrands.size - 1)));
      const bestLeftOut = offers
        .filter(({ brand }) => !brands.includes(brand.toLowerCase()))
        .reduce((most, { payoutMicros }) => Math.max(most, payoutMicros), -1);
      const earned = standard.map(({ payoutMicros }) => payoutMicros);
      expect(earned).toEqual(earned.toSorted((one, other) => other - one));
      if (earned.length > 0) expect(earned.at(-1)).toBeGreaterThanOrEqual(bestLeftOut);
    }),
    { numRuns: 2_000 },
  );
});
