import { describe, expect, test } from "vitest";
import type { Report, Row } from "./api.ts";
import {
  addUp,
  addUpBy,
  changeText,
  comparedSums,
  figureName,
  figureText,
  moneyOf,
  sizeOf,
} from "./overview-figures.ts";

const row = (more: Partial<Row>): Row => ({
  blocked: 0,
  served: 0,
  impressions: 0,
  clicks: 0,
  billableClicks: 0,
  spend: 0,
  filtered: 0,
  drawn: 0,
  earnings: 0,
  currency: null,
  ...more,
});
const euro = { currency: "EUR", of: "spend" } as const;

describe("sums", () => {
  const rows = [
    row({
      date: "2026-11-01",
      blocked: 3,
      impressions: 8,
      clicks: 2,
      spend: 9_007_199_254_740_993n,
      currency: "EUR",
    }),
    row({ date: "2026-11-01", clicks: 1, spend: 500_000, currency: "GBP" }),
    row({ date: "2026-11-02", blocked: 4, filtered: 5 }),
  ];

  test("hold money of one currency alone, exactly", () => {
    expect(addUp([...rows, ...rows], euro)).toMatchObject({
      blocked: 14,
      seen: 16,
      clicks: 6,
      filtered: 10,
      money: 18_014_398_509_481_986n,
    });
    expect(addUp(rows, null).money).toBe(0n);
  });

  test("count no mark that offers were drawn", () => {
    const events = { blocked: 100, served: 700, impressions: 50, clicks: 4 };
    expect(addUp([row({ ...events, drawn: 700 })], null).counted).toBe(854);
  });

  test("are told apart by a dimension", () => {
    const days = addUpBy(rows, ({ date }) => date, euro);
    expect([...days.keys()]).toEqual(["2026-11-01", "2026-11-02"]);
    expect(days.get("2026-11-01")).toMatchObject({ blocked: 3, clicks: 3 });
  });

  test("of nothing are zeros, and their rate no number", () => {
    const none = addUp([], euro);
    expect(figureText("rate", none, euro)).toBe("–");
    expect(sizeOf("rate", none)).toBeNull();
    expect(sizeOf("clicks", none)).toBe(0);
    expect(figureText("money", none, null)).toBe("–");
  });
});

describe("the money that is shown", () => {
  test("is in the wanted currency where there is some", () => {
    const totals = [row({ currency: "EUR" }), row({ currency: "GBP" }), row({ currency: null })];
    expect(moneyOf(totals, undefined, true)).toEqual(euro);
    expect(moneyOf(totals, "GBP", true)).toEqual({ currency: "GBP", of: "spend" });
    expect(moneyOf(totals, "USD", true)).toEqual(euro);
    expect(moneyOf([row({ currency: null })], "EUR", true)).toBeNull();
  });

  test.each<[string, number | null, boolean, string, bigint]>([
    ["what a publisher earned, below what was billed", 1_000_000, false, "Earned", 700_000n],
    ["what a publisher earned where it is not told what was billed", null, false, "Earned", 700_000n],
    ["what was billed where an operator looks", 1_000_000, true, "Billed", 1_000_000n],
    ["what was earned where an operator is not told what was billed", null, true, "Earned", 700_000n],
  ])("is %s", (_name, spend, isOperator, called, sum) => {
    const rows = [row({ currency: "EUR", spend, earnings: 700_000 })];
    const money = moneyOf(rows, undefined, isOperator);
    expect(figureName("money", money)).toBe(called);
    expect(addUp(rows, money).money).toBe(sum);
  });
});

describe("what is compared with the period before", () => {
  const ofDays = (from: string, to: string, blocked: Record<string, number>): Report => ({
    ...{ from, to, totals: row({}), totalsByCurrency: [] },
    items: Object.entries(blocked).map(([date, count]) => row({ date, blocked: count })),
  });
  const reports = {
    now: ofDays("2026-11-29", "2026-12-01", { "2026-11-29": 40, "2026-11-30": 50, "2026-12-01": 3 }),
    before: ofDays("2026-11-26", "2026-11-28", { "2026-11-26": 10, "2026-11-27": 20, "2026-11-28": 30 }),
  };

  test.each<[string, string, number | null, number | null]>([
    [
      "leaves out today, of which there is not all yet, and the day that stands beside it",
      "2026-12-01",
      90,
      30,
    ],
    ["is all of it once it is over", "2026-12-02", 93, 60],
    ["is nothing where no day is over", "2026-11-29", null, null],
  ])("%s", (_name, today, now, before) => {
    const sums = comparedSums(reports, null, today);
    expect([sums?.now.blocked ?? null, sums?.before.blocked ?? null]).toEqual([now, before]);
  });
});

test("what is blocked is visits: one visitor may make many", () => {
  expect(figureName("blocked", null)).toBe("Blocked visits");
});

test("a rate changes by points, a count by percent, and neither where nothing was before", () => {
  const now = addUp([row({ impressions: 100, clicks: 5 })], null);
  const before = addUp([row({ impressions: 100, clicks: 4 })], null);
  expect(changeText("rate", now, before)).toBe("+1 pt");
  expect(changeText("clicks", now, before)).toBe("+25%");
  expect(changeText("clicks", now, addUp([], null))).toBeNull();
  expect(changeText("rate", now, addUp([], null))).toBeNull();
  expect(changeText("rate", addUp([], null), before)).toBeNull();
});
