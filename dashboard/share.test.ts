import { expect, test } from "vitest";
import { shareText, typedPercent, typedShare } from "./share.ts";

test("hundredths of a per cent are whole numbers, and an empty field is none", () => {
  expect(typedShare(" 7000 ")).toBe(7000);
  expect(typedShare("0")).toBe(0);
  expect(typedShare(" ")).toBeNull();
  for (const text of ["70 %", "70.5", "-1", "1e3", "seven", "123456"])
    expect(typedShare(text)).toBeUndefined();
});

test("per cent have two decimals at the most", () => {
  expect(["100", "12.34", "12.3", "0", " 0.29 "].map(typedPercent)).toEqual([10_000, 1234, 1230, 0, 29]);
  for (const text of ["", "12.345", "12,3", "70 %", "-1", ".5", "1e1", "1000"])
    expect(typedPercent(text)).toBeUndefined();
});

test("a share is written as short as it can be", () => {
  expect([10_000, 1230, 29, 0].map(shareText)).toEqual(["100 %", "12.3 %", "0.29 %", "0 %"]);
});
