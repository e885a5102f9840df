import fc from "fast-check";
import { expect, test } from "vitest";
import { earnedOf } from "./revenue-share.ts";

const most = Number.MAX_SAFE_INTEGER;

test.each([
  ["all of it", 450_000, 10_000, 450_000],
  ["nothing", 450_000, 0, 0],
  ["seven tenths", 450_000, 7000, 315_000],
  ["a third, rounded down", 100, 3333, 33],
  ["of one micro-unit less than all", 1, 9999, 0],
  ["of a price of nothing", 0, 7000, 0],
  ["all of the highest price", most, 10_000, most],
  ["all but a ten-thousandth of it", most, 9999, 9_006_298_534_815_516],
  ["a ten-thousandth of it", most, 1, 900_719_925_474],
])("a publisher earns %s: %d at %d is %d", (_, priceMicros, share, earned) => {
  expect(earnedOf(priceMicros, share)).toBe(earned);
});

test("what is earned is exact for any price and share", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 2_000_000 })),
      fc.integer({ min: 0, max: 10_000 }),
      (priceMicros, share) => {
        const exact = (BigInt(priceMicros) * BigInt(share)) / 10_000n;
        expect(BigInt(earnedOf(priceMicros, share))).toBe(exact);
      },
    ),
    { numRuns: 2000 },
  );
});
