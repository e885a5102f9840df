import { afterEach, describe, expect, test, vi } from "vitest";
import {
  formatAgo,
  formatCount,
  formatDays,
  formatExactMoney,
  formatGrowth,
  formatIn,
  formatLongDay,
  formatMoney,
  formatPlace,
  formatPoints,
  formatSeen,
  formatShare,
  formatShort,
  majorUnits,
} from "./format.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  formatIn(null);
});

describe("money", () => {
  test.each([
    [0, "0.000000"],
    [1, "0.000001"],
    [6_148_920_000, "6148.920000"],
    [-1_500_000, "-1.500000"],
    [-1, "-0.000001"],
    [9_007_199_254_740_993_000_001n, "9007199254740993.000001"],
  ])("of %s micro-units has all its digits", (micros, text) => {
    expect(majorUnits(micros)).toBe(text);
  });

  test("is shown in the digits that its currency has", () => {
    expect(formatMoney(6_148_924_999, "EUR")).toBe("€6,148.92");
    expect(formatMoney(6_148_924_999, "JPY")).toBe("JP¥6,149");
    expect(formatExactMoney(123, "EUR")).toBe("€0.000123");
  });

  test("keeps its digits beyond 2^53", () => {
    expect(formatMoney(9_007_199_254_740_993_120_000n, "EUR")).toBe("€9,007,199,254,740,993.12");
    // What a float makes of the same amount.
    expect(formatMoney(9_007_199_254_740_993_120_000n, "EUR")).not.toBe("€9,007,199,254,740,992.00");
  });
});

describe("counts and shares", () => {
  test("are written as the language does", () => {
    expect(formatCount(84_216)).toBe("84,216");
    expect(formatShare(10_564, 231_908)).toBe("4.56%");
    formatIn("de");
    expect(formatCount(84_216)).toBe("84.216");
  });

  test("fall back where the language is none", () => {
    formatIn("no such language!");
    expect(formatCount(84_216)).toBe("84,216");
  });

  test("are short where there is little room", () => {
    expect(formatShort(600)).toBe("600");
    expect(formatShort(84_000)).toBe("84k");
  });

  test("of nothing are no number", () => {
    expect(formatShare(0, 0)).toBe("–");
    expect(formatGrowth(5, 0)).toBeNull();
  });

  test("tell their growth with its sign", () => {
    expect(formatGrowth(106.1, 100)).toBe("+6.1%");
    expect(formatGrowth(90, 100)).toBe("−10%");
    expect(formatGrowth(100, 100)).toBe("0%");
    expect(formatPoints(0.0457, 0.0477)).toBe("−0.2 pt");
  });
});

describe("days", () => {
  test("are those of UTC, wherever the reader is", () => {
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      vi.stubEnv("TZ", zone);
      formatIn(null);
      expect(formatLongDay("2026-11-12")).toBe("Thursday 12 November");
      const days = formatDays({ from: "2026-10-24", to: "2026-11-22" });
      expect(days.replaceAll(/\s/g, " ")).toBe("24 Oct – 22 Nov 2026");
    }
  });

  test.each([
    [0, "now"],
    [4_000, "4 seconds ago"],
    [61_000, "1 minute ago"],
    [86_400_000, "yesterday"],
    [-5_000, "now"],
  ])("%s ms ago are %s", (ms, text) => {
    expect(formatAgo(1e12 - ms, 1e12)).toBe(text);
  });

  test("of somebody whose sessions are over is not said to be never", () => {
    expect(formatSeen(1e12 - 200_000, 1e12)).toBe("3 minutes ago");
    expect(formatSeen(null, 1e12)).toBe("not signed in now");
  });
});

test.each([
  ["GB", undefined, "United Kingdom"],
  ["US", "US-NJ", "United States · NJ"],
  ["ZZ", undefined, "Unknown place"],
  ["XK", undefined, "Kosovo"],
  ["??", undefined, "Unknown place"],
])("the place %s %s is %s", (country, region, text) => {
  expect(formatPlace(country, region)).toBe(text);
});
