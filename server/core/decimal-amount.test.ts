import { describe, expect, it } from "vitest";
import { decimalAmount, readAmount, readSignedAmount } from "./decimal-amount.ts";

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

describe("an amount that may take away", () => {
  it.each([
    ["-45.5", -45_500_000],
    [" -0.000001 ", -1],
    ["-9007199254.740991", -Number.MAX_SAFE_INTEGER],
    ["45.5", 45_500_000],
    ["-0", 0],
  ])("reads %s", (text, micros) => {
    expect(readSignedAmount(text)).toEqual({ ok: true, micros });
  });

  it.each(["--5", "- 5", "+5", "-", "-1,5", "−5", "5-"])("refuses %j", (text) => {
    expect(readSignedAmount(text).ok).toBe(false);
  });
});

it.each([
  [0, "0.00"],
  [1, "0.000001"],
  [1_500_000, "1.50"],
  [1_000_000_010, "1000.00001"],
  [Number.MAX_SAFE_INTEGER, "9007199254.740991"],
])("%d micro-units are written as somebody would type them", (micros, text) => {
  expect(decimalAmount(micros)).toBe(text);
  expect(readAmount(text)).toEqual({ ok: true, micros });
});
