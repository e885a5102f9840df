import { describe, expect, it } from "vitest";
import { readAmount } from "./decimal-amount.ts";

describe("an amount that somebody types", () => {
  it.each([
    ["250.00", 250_000_000],
    ["250", 250_000_000],
    [" 250.5 ", 250_500_000],
    ["0.000001", 1],
    ["0", 0],
    ["0.1", 100_000],
    // As a float, times a million, it comes out one micro-unit short.
    ["1.005", 1_005_000],
    ["4.35", 4_350_000],
    ["9007199254.740991", Number.MAX_SAFE_INTEGER],
  ])("reads %s to the last micro-unit", (text, micros) => {
    expect(readAmount(text)).toEqual({ ok: true, micros });
  });

  it.each([
    ["", "such as 250.00"],
    ["250,00", "a point"],
    ["1,250.00", "a point"],
    ["-5", "such as 250.00"],
    ["+5", "such as 250.00"],
    ["007", "such as 250.00"],
    [".5", "such as 250.00"],
    ["5.", "such as 250.00"],
    ["1e3", "such as 250.00"],
    ["0x10", "such as 250.00"],
    ["1 000", "such as 250.00"],
    ["٢٥٠", "such as 250.00"],
    ["EUR 5", "such as 250.00"],
    ["0.0000001", "at most 6 decimals"],
    ["9007199254.740992", "at most 9007199254.740991"],
    ["99999999999999999999", "at most 9007199254.740991"],
  ])("refuses %j", (text, message) => {
    const read = readAmount(text);
    expect(read).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});
