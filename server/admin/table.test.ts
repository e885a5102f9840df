import { expect, test } from "vitest";
import { aligned, amount, table } from "./table.ts";

test.each([
  [0, "0.00"],
  [450_000, "0.45"],
  [1, "0.000001"],
  [1_234_500_000, "1,234.50"],
  [-5_100_000, "-5.10"],
  [Number.MAX_SAFE_INTEGER, "9,007,199,254.740991"],
])("%d micro-units read %s", (micros, text) => {
  expect(amount(micros)).toBe(text);
});

test("columns line up and lines have no spaces at their end", () => {
  expect(
    aligned([
      ["a", "long", ""],
      ["bcd", "e", "f"],
    ]),
  ).toBe("a    long\nbcd  e     f");
});

test("a table without rows says so", () => {
  expect(table(["A"], [])).toBe("none");
  expect(table(["A"], [["b"]])).toBe("A\nb");
});
