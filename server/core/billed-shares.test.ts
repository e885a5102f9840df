import fc from "fast-check";
import { expect, test } from "vitest";
import { type EarnedPrice, partedByShare } from "./billed-shares.ts";
import { earnedOf } from "./revenue-share.ts";

const bill = (priceMicros: number, share: number): EarnedPrice => ({
  priceMicros,
  earnedMicros: earnedOf(priceMicros, share),
});

test.each<[string, EarnedPrice[], (number | null)[]]>([
  ["no bills", [], []],
  ["one share, at two prices", [bill(400_000, 7000), bill(390_000, 7000)], [7000]],
  [
    "two shares, the smaller first",
    [bill(400_000, 7000), bill(400_000, 6500), bill(390_000, 7000)],
    [6500, 7000],
  ],
  ["shares that lie a hundredth of a per cent apart", [bill(10_000, 3333), bill(10_000, 3334)], [3333, 3334]],
  ["all and nothing", [bill(400_000, 10_000), bill(400_000, 0)], [0, 10_000]],
  ["views that earn alike at 70.00 and 70.04 %", [bill(2000, 7000), bill(2000, 7004)], [7000]],
  ["a view that earns alike at 74.99 and 75.01 %", [bill(2530, 7500)], [7500]],
  ["views, and a click that tells their share", [bill(2000, 7003), bill(400_000, 7003)], [7003]],
  ["what cost nothing beside what did not", [bill(0, 7000), bill(400_000, 7000)], [7000, null]],
  ["what earned more than it cost", [{ priceMicros: 5, earnedMicros: 6 }], [null]],
  ["the highest price", [bill(Number.MAX_SAFE_INTEGER, 1)], [1]],
])("bills are parted by share: %s", (_, bills, shares) => {
  const parts = partedByShare(bills);
  expect(parts.map(({ shareBasisPoints }) => shareBasisPoints)).toEqual(shares);
  expect(parts.flatMap((part) => part.bills)).toHaveLength(bills.length);
});

test("whatever the prices and shares, each bill earned by the share of its part, and no share more is told than there was", () => {
  const price = fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 10_000, max: 2_000_000 }));
  const share = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(share, fc.array(price, { minLength: 1 })), { minLength: 1 }), (made) => {
      const parts = partedByShare(made.flatMap(([own, prices]) => prices.map((cost) => bill(cost, own))));
      expect(parts.length).toBeLessThanOrEqual(new Set(made.map(([own]) => own)).size);
      const told = parts.flatMap((part) => part.bills.map((one) => ({ ...one, by: part.shareBasisPoints })));
      expect(told).toHaveLength(made.flatMap(([, prices]) => prices).length);
      for (const { priceMicros, earnedMicros, by } of told) {
        expect(earnedOf(priceMicros, by ?? -1)).toBe(earnedMicros);
      }
    }),
    { numRuns: 500 },
  );
});
