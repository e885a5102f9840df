import { expect, it } from "vitest";
import { moneyText, plainAmount, typedMicros } from "./money.ts";

it.each([
  [450_000, "0.45"],
  [250_000_000, "250.00"],
  [1, "0.000001"],
  [1_500_010, "1.50001"],
  [-400_000, "-0.40"],
  [0, "0.00"],
  [2_000_000_000_000_000, "2000000000.00"],
  [Number.MAX_SAFE_INTEGER, "9007199254.740991"],
])("writes %d micro-units as %s, and reads that back", (micros, text) => {
  expect(plainAmount(micros)).toBe(text);
  if (micros >= 0) expect(typedMicros(text)).toBe(micros);
});

it("refuses an amount beyond what a whole number can hold exactly", () => {
  for (const text of ["9007199254.740992", "9999999999", "10000000000"])
    expect(typedMicros(text)).toBeUndefined();
});

it("reads an empty field as nothing, and refuses what is no amount", () => {
  expect(typedMicros("  ")).toBeNull();
  for (const text of ["0,45", "-1", "1e3", ".5", "1.0000001", "x"]) expect(typedMicros(text)).toBeUndefined();
});

it("leaves the currency out while none is known", () => {
  expect(moneyText(1_000_000, null)).toBe("1.00");
  expect(moneyText(1_000_000, "EUR")).toBe("€1.00");
});
