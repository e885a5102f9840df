import { payoutModels } from "@offers/contract/words";
import { expect, test } from "vitest";
import { billablePriceMicros, billedEvent } from "./price.ts";

test.each([
  ["CPC", 250_000, 250_000, "click"],
  ["CPC", 0, 0, "click"],
  ["CPM", 4_000_000, 4_000, "impression"],
  ["CPM", 1_000, 1, "impression"],
  ["CPM", 1_999, 1, "impression"],
  ["CPA", 9_000_000, 0, null],
  ["CPL", 9_000_000, 0, null],
  ["REVSHARE", 9_000_000, 0, null],
] as const)("%s of %d costs %d a %s", (payoutModel, payoutMicros, price, event) => {
  expect(billablePriceMicros({ payoutModel, payoutMicros })).toBe(price);
  expect(billedEvent(payoutModel)).toBe(event);
});

test("a price is whole under every model and payout", () => {
  for (const payoutModel of payoutModels) {
    for (const payoutMicros of [1, 999, 1001, 123_456_789, Number.MAX_SAFE_INTEGER]) {
      const price = billablePriceMicros({ payoutModel, payoutMicros });
      expect(Number.isSafeInteger(price) && price >= 0 && price <= payoutMicros).toBe(true);
    }
  }
});
