import { describe, expect, test } from "vitest";
import { addDays, dayOf, daysOf, lengthOf, ownRange, periodBefore, readRange, wholeDays } from "./ranges.ts";

const today = "2026-11-22";

describe("a range", () => {
  test.each([
    [undefined, "30d", "2026-10-24", "2026-11-22"],
    ["30d", "30d", "2026-10-24", "2026-11-22"],
    ["7d", "7d", "2026-11-16", "2026-11-22"],
    ["90d", "90d", "2026-08-25", "2026-11-22"],
    ["month", "month", "2026-11-01", "2026-11-22"],
    ["2026-02-01..2026-02-28", "own", "2026-02-01", "2026-02-28"],
    ["2026-02-01..2026-02-01", "own", "2026-02-01", "2026-02-01"],
  ])("%s is %s, from %s to %s", (text, name, from, to) => {
    expect(readRange(text, today)).toEqual({ name, from, to });
  });

  test.each([
    "",
    "yesterday",
    "2026-02-30..2026-03-01",
    "2026-03-01..2026-02-01",
    "2026-02-01",
    "2026-02-01..",
    "2026-02-01..2026-02-02..2026-02-03",
  ])("that an address names as %s is the usual one", (text) => {
    expect(readRange(text, today).name).toBe("30d");
  });

  test("has no more days than a report takes", () => {
    const range = readRange("2020-01-01..2026-11-22", today);
    expect(range.to).toBe("2026-11-22");
    expect(lengthOf(range)).toBe(366);
  });

  test("of one's own is read as it was written", () => {
    const days = { from: "2026-02-01", to: "2026-02-28" };
    expect(readRange(ownRange(days), today)).toEqual({ name: "own", ...days });
  });

  test("has each of its days once, also when clocks change", () => {
    const days = daysOf({ from: "2026-10-24", to: "2026-10-27" });
    expect(days).toEqual(["2026-10-24", "2026-10-25", "2026-10-26", "2026-10-27"]);
    expect(lengthOf({ from: "2024-02-01", to: "2024-03-01" })).toBe(30);
  });
});

describe("the period before", () => {
  test.each([
    ["2026-10-24", "2026-11-22", "2026-09-24", "2026-10-23"],
    ["2026-11-22", "2026-11-22", "2026-11-21", "2026-11-21"],
    ["2024-03-01", "2024-03-31", "2024-01-30", "2024-02-29"],
  ])("%s to %s is %s to %s", (from, to, fromBefore, toBefore) => {
    const before = periodBefore({ from, to });
    expect(before).toEqual({ from: fromBefore, to: toBefore });
    expect(lengthOf(before)).toBe(lengthOf({ from, to }));
    expect(addDays(before.to, 1)).toBe(from);
  });
});

test("a moment's day is that of UTC", () => {
  expect(dayOf(Date.parse("2026-11-22T23:59:59.999Z"))).toBe("2026-11-22");
});

test("the days of a range that are over are those before today", () => {
  const range = { from: "2026-11-20", to: "2026-11-22" };
  expect(wholeDays(range, "2026-11-23")).toEqual(range);
  expect(wholeDays(range, today)).toEqual({ from: "2026-11-20", to: "2026-11-21" });
  expect(wholeDays(range, "2026-11-20")).toBeUndefined();
});
