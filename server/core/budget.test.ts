import { describe, expect, it } from "vitest";
import { type Budget, hasRoom, nextCharge, takeCharge } from "./budget.ts";

const noCaps = { dailyBudgetMicros: null, totalBudgetMicros: null, dailyClickCap: null, totalClickCap: null };

/** 500 of 1,000 are spent, by five clicks, two of them and 200 today. */
const budgetOf = (caps: Partial<Budget["caps"]> = {}, depositedMicros = 1000): Budget => ({
  caps: { ...noCaps, ...caps },
  total: { micros: 500, clicks: 5 },
  day: { micros: 200, clicks: 2 },
  balance: { depositedMicros, spent: { micros: 500, clicks: 5 } },
});
const click = { micros: 100, clicks: 1 };
const view = { micros: 100, clicks: 0 };

describe("a charge", () => {
  it.each([
    ["no caps", budgetOf(), click, true],
    ["a total budget that it just fits", budgetOf({ totalBudgetMicros: 600 }), click, true],
    ["a total budget that is one short", budgetOf({ totalBudgetMicros: 599 }), click, false],
    ["a daily budget that it just fits", budgetOf({ dailyBudgetMicros: 300 }), click, true],
    ["a daily budget that is one short", budgetOf({ dailyBudgetMicros: 299 }), click, false],
    ["a balance that it just fits", budgetOf({}, 600), click, true],
    ["a balance that is one short", budgetOf({}, 599), click, false],
    ["a last click in all", budgetOf({ totalClickCap: 6 }), click, true],
    ["no click left in all", budgetOf({ totalClickCap: 5 }), click, false],
    ["a last click today", budgetOf({ dailyClickCap: 3 }), click, true],
    ["no click left today", budgetOf({ dailyClickCap: 2 }), click, false],
    ["no click left, and it is none", budgetOf({ dailyClickCap: 2, totalClickCap: 5 }), view, true],
    [
      "a budget of nothing, and it costs nothing",
      budgetOf({ totalBudgetMicros: 500 }),
      { micros: 0, clicks: 1 },
      true,
    ],
  ] as const)("with %s: is taken whole or not at all", (_, budget, charge, isTaken) => {
    const before = structuredClone(budget);
    expect(hasRoom(budget, charge)).toBe(isTaken);
    expect(takeCharge(budget, charge)).toBe(isTaken);
    const { micros, clicks } = isTaken ? charge : { micros: 0, clicks: 0 };
    const increased = ({ micros: m, clicks: c }: Budget["day"]) => ({
      micros: m + micros,
      clicks: c + clicks,
    });
    expect(budget.total).toEqual(increased(before.total));
    expect(budget.day).toEqual(increased(before.day));
    expect(budget.balance.spent).toEqual(increased(before.balance.spent));
  });
});

it.each([
  ["CPC", 400, { micros: 400, clicks: 1 }],
  ["CPM", 5000, { micros: 5, clicks: 0 }],
  ["CPA", 400, null],
  ["CPL", 400, null],
  ["REVSHARE", 0, null],
] as const)("the next event of a %s offer of %d costs what it bills", (payoutModel, payoutMicros, charge) => {
  expect(nextCharge({ payoutModel, payoutMicros })).toEqual(charge);
});
