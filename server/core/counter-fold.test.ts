import { describe, expect, test } from "vitest";
import { createCounterFold, daySums, type RateSum } from "./counter-fold.ts";
import { type CountedFact, factTypes } from "./fact.ts";
import { figures } from "./figures.ts";

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
    const fold = foldOf(click, click);
    fold.addAll(foldOf(click, { ...click, type: factTypes.impression }));
    expect([...fold.rateSums()]).toEqual([
      { offer: 7, cell: 3, placement: "standard", impressions: 1, clicks: 3 },
    ]);
  });
});
