import { expect, test } from "vitest";
import { createLearntRates, type RatedPlacement, ratedPlacements } from "./click-rates.ts";
import { reachesFloor } from "./floor-price.ts";
import { sampleOffer } from "./sample-catalogue.ts";

const rates = new Map([
  ["EUR", 1],
  ["USD", 0.8],
]);
const currencyRate = (currency: string) => rates.get(currency) ?? null;
/** Of a website of which nothing is known. */
const usual = createLearntRates().factorOn(1, "overlay");

test.each([
  // Of an offer of which nothing is known, a thousand impressions bring five clicks.
  ["five clicks at the floor", { payoutMicros: 200 }, { micros: 1000, currency: "EUR" }, true],
  ["a little less", { payoutMicros: 199 }, { micros: 1000, currency: "EUR" }, false],
  [
    "a thousand views at the floor",
    { payoutModel: "CPM", payoutMicros: 1000 },
    { micros: 1000, currency: "EUR" },
    true,
  ],
  ["views below it", { payoutModel: "CPM", payoutMicros: 999 }, { micros: 1000, currency: "EUR" }, false],
  [
    "a dear floor, missed by a micro-unit",
    { payoutModel: "CPM", payoutMicros: 999_999 },
    { micros: 1_000_000, currency: "EUR" },
    false,
  ],
  [
    "leads that one click in two brings",
    { payoutModel: "CPL", payoutMicros: 400, conversionRateBasisPoints: 5_000 },
    { micros: 1000, currency: "EUR" },
    true,
  ],
  [
    "leads at the rate that is assumed of them",
    { payoutModel: "CPL", payoutMicros: 400 },
    { micros: 1000, currency: "EUR" },
    false,
  ],
  ["a floor in another currency", { payoutMicros: 160 }, { micros: 1000, currency: "USD" }, true],
  ["one that is missed", { payoutMicros: 159 }, { micros: 1000, currency: "USD" }, false],
  [
    "another currency, worth as much",
    { payoutMicros: 250, currency: "USD" },
    { micros: 1000, currency: "EUR" },
    true,
  ],
  [
    "another currency, worth less",
    { payoutMicros: 249, currency: "USD" },
    { micros: 1000, currency: "EUR" },
    false,
  ],
  [
    "a currency without a rate",
    { payoutMicros: 9e9, currency: "CHF" },
    { micros: 1000, currency: "EUR" },
    false,
  ],
  ["a floor without a rate", { payoutMicros: 9e9 }, { micros: 1000, currency: "CHF" }, false],
  [
    "the same currency without a rate",
    { payoutMicros: 200, currency: "CHF" },
    { micros: 1000, currency: "CHF" },
    true,
  ],
] satisfies [string, Parameters<typeof sampleOffer>[0], { micros: number; currency: string }, boolean][])(
  "%s",
  (_, over, floor, reaches) => {
    const offer = sampleOffer(over);
    expect(reachesFloor(offer, "DE", createLearntRates(), floor, currencyRate, usual)).toBe(reaches);
  },
);

test.each(ratedPlacements)(
  "the floor looks at the mean, which follows what is counted in the %s place",
  (placement) => {
    const learnt = createLearntRates();
    const offer = sampleOffer({ payoutMicros: 100_000, premium: true });
    const floor = { micros: 1_000_000, currency: "EUR" };
    const reaches = () => reachesFloor(offer, "DE", learnt, floor, currencyRate, usual);
    expect(reaches()).toBe(false);
    const counts = { offer: offer.number, vertical: offer.vertical, country: "DE", placement } as const;
    learnt.apply({ version: 1, counts: [{ ...counts, impressions: 10_000, clicks: 300 }] });
    expect(reaches()).toBe(true);
  },
);

test.each([
  ["both places just", { premium: [1000, 15], standard: [9000, 85] }, true],
  [
    "the premium place well, and the standard ones badly by far more views",
    { premium: [1000, 20], standard: [90_000, 450] },
    false,
  ],
  [
    "the premium place badly, and the standard ones well by far more views",
    { premium: [1000, 2], standard: [90_000, 1800] },
    true,
  ],
] satisfies [string, Record<RatedPlacement, [number, number]>, boolean][])(
  "an offer is asked what a view of it earns wherever it stands: %s",
  (_, of, reaches) => {
    const learnt = createLearntRates();
    const offer = sampleOffer({ payoutMicros: 100_000 });
    const counts = ratedPlacements.map((placement) => {
      const [impressions, clicks] = of[placement];
      return { offer: offer.number, vertical: offer.vertical, country: "DE", placement, impressions, clicks };
    });
    learnt.apply({ version: 1, counts });
    expect(reachesFloor(offer, "DE", learnt, { micros: 990_000, currency: "EUR" }, currencyRate, usual)).toBe(
      reaches,
    );
  },
);

/** A click in two hundred views is just enough: what is believed of an offer of which nothing is known. */
const floor = { micros: 1000, currency: "EUR" };
const just = sampleOffer({ payoutMicros: 200, number: 1, vertical: "travel" });
const afterViews = (
  impressions: number,
  clicks: number,
  of = just,
  placement: RatedPlacement = "standard",
) => {
  const learnt = createLearntRates();
  const { number: offer, vertical } = of;
  learnt.apply({
    version: 1,
    counts: [{ offer, vertical, country: "DE", placement, impressions, clicks }],
  });
  return learnt;
};

test.each([
  ["a hundred views without a click", 100, 0, true],
  ["nine hundred", 900, 0, true],
  ["a thousand", 1000, 0, false],
  ["six clicks where it takes fifteen", 3000, 6, true],
  ["half the clicks of few views", 1000, 2, true],
  ["half the clicks of many", 40_000, 100, false],
  ["as many clicks as it takes", 40_000, 200, true],
])(
  "an offer that was let through stays until its rate is surely too low: %s",
  (_, views, clicks, reaches) => {
    for (const placement of ratedPlacements) {
      const learnt = afterViews(views, clicks, just, placement);
      expect(reachesFloor(just, "DE", learnt, floor, currencyRate, usual)).toBe(reaches);
      // What is so in the one country of which something is known is taken to be so in others.
      expect(reachesFloor(just, "FR", learnt, floor, currencyRate, usual)).toBe(reaches);
    }
  },
);

test("an offer whose rate is surely too low in one country stays in the others", () => {
  const learnt = afterViews(2000, 0);
  const there = { offer: just.number, vertical: just.vertical, placement: "standard" } as const;
  learnt.apply({ version: 2, counts: [{ ...there, country: "FR", impressions: 2000, clicks: 20 }] });
  const reaches = (country: string) => reachesFloor(just, country, learnt, floor, currencyRate, usual);
  expect([reaches("DE"), reaches("FR"), reaches("GB")]).toEqual([false, true, true]);
});

test("what did not reach the floor to begin with is not let through by bad luck", () => {
  const less = { ...just, payoutMicros: 199 };
  expect(reachesFloor(less, "DE", afterViews(100, 0, less), floor, currencyRate, usual)).toBe(false);
});

test("a new offer of a vertical with a bad one is tried as any other, and one of a good vertical may cost less", () => {
  const beside = (views: number, clicks: number, payoutMicros: number) =>
    reachesFloor(
      { ...just, number: 2, payoutMicros },
      "DE",
      afterViews(views, clicks),
      floor,
      currencyRate,
      usual,
    );
  expect(beside(3000, 0, 200)).toBe(true);
  expect(beside(3000, 0, 199)).toBe(false);
  expect(beside(100_000, 2000, 60)).toBe(true);
});

test("bad luck costs an offer of a good vertical as little as any other its place", () => {
  const learnt = afterViews(100_000, 2000, { ...just, number: 2 });
  const counts = {
    offer: just.number,
    vertical: just.vertical,
    country: "DE",
    placement: "standard",
  } as const;
  learnt.apply({ version: 2, counts: [{ ...counts, impressions: 400, clicks: 0 }] });
  expect(reachesFloor({ ...just, payoutMicros: 60 }, "DE", learnt, floor, currencyRate, usual)).toBe(true);
});

test.each([
  ["a usual one, as any", 80, 80, [true, false]],
  ["one that is clicked three times as often", 220, 60, [true, true]],
  ["one that had bad luck with its first clicks", 0, 12, [true, false]],
  ["one that is surely clicked a quarter as often", 100, 460, [false, false]],
])("a floor is what its own website earns: %s", (_, clicks, expected, wanted) => {
  const learnt = createLearntRates();
  learnt.apply({
    version: 1,
    counts: [],
    websites: [{ websiteId: 1, surface: "overlay", clicks, expected }],
  });
  const factor = learnt.factorOn(1, "overlay");
  const reaches = [just, { ...just, payoutMicros: 100 }].map((offer) =>
    reachesFloor(offer, "DE", learnt, floor, currencyRate, factor),
  );
  expect(reaches).toEqual(wanted);
});
