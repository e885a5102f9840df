import { expect, test } from "vitest";
import { createLearntRates } from "./click-rates.ts";
import { reachesFloor } from "./floor-price.ts";
import { sampleOffer } from "./sample-catalogue.ts";

const rates = new Map([
  ["EUR", 1],
  ["USD", 0.8],
]);
const currencyRate = (currency: string) => rates.get(currency) ?? null;

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
    const learnt = createLearntRates().of(offer, "DE");
    expect(reachesFloor(offer, learnt, floor, currencyRate)).toBe(reaches);
  },
);

test("the floor looks at the mean, which follows what is counted", () => {
  const learnt = createLearntRates();
  const offer = sampleOffer({ payoutMicros: 100_000 });
  const floor = { micros: 1_000_000, currency: "EUR" };
  const reaches = () => reachesFloor(offer, learnt.of(offer, "DE"), floor, currencyRate);
  expect(reaches()).toBe(false);
  const counts = {
    offer: offer.number,
    vertical: offer.vertical,
    country: "DE",
    placement: "standard",
  } as const;
  learnt.apply({ version: 1, counts: [{ ...counts, impressions: 10_000, clicks: 300 }] });
  expect(reaches()).toBe(true);
});
