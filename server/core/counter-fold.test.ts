import { describe, expect, test } from "vitest";
import type { Cell } from "./cell.ts";
import { counterRowsOf, createCounterFold, daySums, type RateSum, sumOfUnkept } from "./counter-fold.ts";
import { type CountedFact, factTypes } from "./fact.ts";
import { byColumn, figureColumns, figures, isMoney } from "./figures.ts";

const at = Date.UTC(2026, 10, 20, 12);
const click: CountedFact = {
  ...{ type: factTypes.click, cell: 3, offer: 7, placement: "standard", at, reason: null },
  ...{ billedMicros: 400_000, earnedMicros: 280_000, hopAt: at, offers: null },
};
const foldOf = (...facts: CountedFact[]) => {
  const fold = createCounterFold();
  for (const fact of facts) fold.add(fact, 1);
  return fold;
};
/** The figures that are not 0, by their names. */
const told = (sums: readonly unknown[]) =>
  Object.fromEntries(figures.map(({ name }, index) => [name, sums[index]]).filter(([, sum]) => sum !== 0));

describe("the figures of a report", () => {
  const money = { spend: 400_000, earnings: 280_000 };
  test.each<[string, Partial<CountedFact>, object]>([
    ["a billed click", {}, { clicks: 1, billableClicks: 1, ...money }],
    [
      "one that costs nothing, and is billable",
      { billedMicros: 0, earnedMicros: 0 },
      { clicks: 1, billableClicks: 1 },
    ],
    ["one of an offer that bills no clicks", { billedMicros: null, earnedMicros: null }, { clicks: 1 }],
    ["a refused one", { reason: "bot", billedMicros: null, earnedMicros: null }, { filtered: 1 }],
    ["a billed impression", { type: factTypes.impression }, { impressions: 1, ...money }],
    ["a blocked visit", { type: factTypes.blocked, placement: null, offer: 0 }, { blocked: 1 }],
  ])("count %s once", (_, over, expected) => {
    const [sum, ...others] = foldOf({ ...click, ...over }).sums();
    expect(others).toEqual([]);
    expect(told(sum?.figures ?? [])).toEqual(expected);
  });

  test("are added up by cell and day", () => {
    const later = { ...click, at: at + 3_600_000 };
    const sums = foldOf(click, later, { ...click, at: at + 86_400_000 }, { ...click, cell: 4 }).sums();
    expect(daySums(sums).map(({ cell, day, figures: of }) => [cell, day, told(of).clicks])).toEqual([
      [3, 20_777, 2],
      [3, 20_778, 1],
      [4, 20_777, 1],
    ]);
  });

  test("take what was refused and not kept as filtered, and as nothing else", () => {
    const unkept = { cell: 3, hour: 1, offer: 7, placement: 2, events: 5 };
    expect(told(sumOfUnkept(unkept).figures)).toEqual({ filtered: 5 });
  });

  test("are one row of a table for all regions and devices, and rows of their own for test traffic", () => {
    const cell: Cell = {
      ...{ websiteId: 9, country: "US", region: "NJ", vertical: "books", surface: "overlay", test: false },
      ...{ currency: "EUR", device: 1 },
    };
    const cells = [cell, { ...cell, region: "NY", device: 2 }, { ...cell, test: true }];
    const { counter, counter_day, counter_publisher } = counterRowsOf(
      cells.map((_, at) => ({ cell: at, day: 20_777, figures: figures.map(() => 10) })),
      { cellOf: (number) => cells[number] ?? cell, publisherOf: () => 4 },
    );
    const rest = (test: 0 | 1) => ["books", "overlay", test, "EUR"];
    expect(counter.map(({ key }) => key)).toEqual([
      [9, 20_777, "US", ...rest(0)],
      [9, 20_777, "US", ...rest(1)],
    ]);
    expect(counter_day.map(({ key }) => key)).toEqual([
      [9, 20_777, ...rest(0)],
      [9, 20_777, ...rest(1)],
    ]);
    expect(counter_publisher.map(({ key }) => key[0])).toEqual([4, 4]);
    for (const rows of [counter, counter_day, counter_publisher]) {
      expect(rows.map(({ figures: [blocked] }) => blocked)).toEqual([20, 10]);
    }
  });

  test("are written each in its own column", () => {
    const written = byColumn(figures.map((_, at) => at + 1));
    expect(written).toEqual(Object.fromEntries(figures.map(({ column }, at) => [column, at + 1])));
  });

  test("are money where they are spend and earnings, which no currency is added to another's", () => {
    expect(figureColumns.filter(isMoney)).toEqual(["spend_micros", "earned_micros"]);
  });

  test("are not written where what was counted is counted out again", () => {
    const fold = foldOf(click);
    fold.add(click, -1);
    expect(fold.sums()).toEqual([]);
    const moved = foldOf(click);
    moved.add({ ...click, at: at + 3_600_000 }, -1);
    expect(moved.sums()).toHaveLength(2);
    expect(daySums(moved.sums())).toEqual([]);
  });
});

describe("click rates are made of", () => {
  test.each<[string, Partial<CountedFact>, Partial<RateSum> | null]>([
    ["a click that was followed", {}, { placement: "standard", impressions: 0, clicks: 1 }],
    ["no click that was only reported", { hopAt: null }, null],
    ["an impression", { type: factTypes.impression, hopAt: null }, { impressions: 1, clicks: 0 }],
    ["one in the premium place", { placement: "premium" }, { placement: "premium", clicks: 1 }],
    ["none in a section, which nobody ranks by", { placement: "section" }, null],
    ["none of a place that was not told", { placement: null }, null],
    ["none of an offer that is not known", { offer: 0 }, null],
    ["none that was refused", { reason: "bot" }, null],
    ["no blocked visit", { type: factTypes.blocked }, null],
  ])("%s", (_, over, expected) => {
    const sums = [...foldOf({ ...click, ...over }).rateSums()];
    expect(sums).toMatchObject(expected === null ? [] : [{ offer: 7, cell: 3, ...expected }]);
    expect(sums).toHaveLength(expected === null ? 0 : 1);
  });

  test("what several facts of an offer and place add, and two folds together", () => {
    const impression = { ...click, type: factTypes.impression };
    const fold = foldOf(click, impression, click);
    fold.addAll(foldOf(click, impression, impression));
    expect([...fold.rateSums()]).toEqual([
      { offer: 7, cell: 3, placement: "standard", impressions: 3, clicks: 3 },
    ]);
  });
});
