import { expect, test } from "vitest";
import { shareText, typedPercent, typedShare } from "./share.ts";

test("an empty field is no share of its own", () => {
  expect([" 70 ", "0", " ", "70 %", "7000"].map(typedShare)).toEqual([7000, 0, null, undefined, undefined]);
});

test("per cent have two decimals at the most", () => {
  expect(["100", "12.34", "12.3", "0", " 0.29 "].map(typedPercent)).toEqual([10_000, 1234, 1230, 0, 29]);
  for (const text of ["", "12.345", "12,3", "70 %", "-1", ".5", "1e1", "1000"])
    expect(typedPercent(text)).toBeUndefined();
});

test("a share is written as short as it can be", () => {
  expect([10_000, 1230, 29, 0].map(shareText)).toEqual(["100%", "12.3%", "0.29%", "0%"]);
});
