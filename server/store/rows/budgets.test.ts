import { describe, expect, test } from "vitest";
import { dayMs, dayNumber } from "../../core/utc-day.ts";
import type { Bill } from "../journal/recording.ts";
import { type BillLine, type BudgetedOffer, createBudgets, dearerThan, everyDay } from "./budgets.ts";

const at = Date.UTC(2026, 10, 20, 12);
const day = dayNumber(at);
const offer: BudgetedOffer = {
  ...{ number: 7, id: "offer_7", payout_model: "CPC", payout_micros: 1000 },
  ...{ daily_budget_micros: null, total_budget_micros: null, daily_click_cap: null, total_click_cap: null },
  ...{ advertiser: 3, advertiser_id: "advertiser_3", deposited_micros: 1_000_000 },
};
const dearer = { ...offer, number: 8, id: "offer_8", payout_micros: 2000 };

/** Budgets of these offers, of which nothing was spent; every publisher earns 70 of 100. */
const budgetsOf = (...offers: BudgetedOffer[]) => {
  const lines: BillLine[] = [];
  const rows = {
    offer: (number: number) => offers.find((one) => one.number === number) ?? null,
    spent: () => ({ micros: 0, clicks: 0 }),
    share: () => 7000,
  };
  return { lines, budgets: createBudgets(rows, (line) => void lines.push(line)) };
};
const bill: Bill = {
  ...{ kind: "click", request: "0123456789abcdef", offer: 7, micros: 1000 },
  ...{ currency: "EUR", websiteId: 5, at },
};

describe("a charge", () => {
  test("is a line of the ledger, with what the publisher earns of it", () => {
    const { budgets, lines } = budgetsOf(offer);
    expect(budgets.charge(bill)).toBe(700);
    expect(lines).toEqual([
      {
        ...{ at, day, kind: "click", advertiser: 3, offer: 7, request: "0123456789abcdef" },
        ...{ micros: -1000, currency: "EUR", website: 5, earned_micros: 700 },
      },
    ]);
  });

  test("of an offer that there is not, or for which nothing is left, writes none", () => {
    const { budgets, lines } = budgetsOf({ ...offer, total_click_cap: 0 });
    expect(budgets.charge({ ...bill, offer: 9 })).toBeNull();
    expect(budgets.charge(bill)).toBeNull();
    expect(lines).toEqual([]);
    expect(budgets.takeCharged()).toEqual([]);
  });

  test("of an impression is no click of a cap", () => {
    const { budgets } = budgetsOf({ ...offer, payout_model: "CPM", total_click_cap: 0 });
    expect(budgets.charge({ ...bill, kind: "impression", micros: 1 })).toBe(0);
  });
});

describe("what was charged", () => {
  test("is told once for the offer, its day and its advertiser, and then what came since", () => {
    const { budgets } = budgetsOf(offer, dearer);
    budgets.charge(bill);
    budgets.charge(bill);
    expect(budgets.takeCharged()).toEqual([
      { subject: "offer_7", day: everyDay, micros: 2000, clicks: 2 },
      { subject: "offer_7", day, micros: 2000, clicks: 2 },
      { subject: "advertiser_3", day: everyDay, micros: 2000, clicks: 2 },
    ]);
    expect(budgets.takeCharged()).toEqual([]);
    budgets.charge({ ...bill, offer: 8, micros: 2000, at: at + dayMs });
    expect(budgets.takeCharged()).toEqual([
      { subject: "offer_8", day: everyDay, micros: 2000, clicks: 1 },
      { subject: "offer_8", day: day + 1, micros: 2000, clicks: 1 },
      { subject: "advertiser_3", day: everyDay, micros: 2000, clicks: 1 },
    ]);
  });

  test("is forgotten with all that was remembered", () => {
    const { budgets } = budgetsOf({ ...offer, total_click_cap: 1 });
    budgets.charge(bill);
    budgets.forget();
    expect(budgets.takeCharged()).toEqual([]);
    expect(budgets.charge(bill)).toBe(700);
  });
});

describe("what has run out", () => {
  test.each([
    ["nothing, while there is room for one more", { total_click_cap: 2 }, []],
    ["the offer for good, at its total", { total_click_cap: 1 }, [{ offer: 7, day: null }]],
    ["the offer for the day, at its daily cap", { daily_click_cap: 1 }, [{ offer: 7, day }]],
    ["nothing of an offer that bills nothing here", { payout_model: "CPA", total_click_cap: 1 }, []],
  ] satisfies [string, Partial<BudgetedOffer>, object[]][])("is %s", (_, caps, offers) => {
    const { budgets } = budgetsOf({ ...offer, ...caps });
    budgets.charge(bill);
    expect(budgets.takeRanOut()).toEqual({ offers, broke: [] });
    expect(budgets.takeRanOut()).toEqual({ offers: [], broke: [] });
  });

  test("is judged for the last day on which it was charged", () => {
    const { budgets } = budgetsOf({ ...offer, daily_click_cap: 1 });
    budgets.charge({ ...bill, at: at + dayMs });
    budgets.charge(bill);
    expect(budgets.takeRanOut().offers).toEqual([{ offer: 7, day: day + 1 }]);
  });

  test("is the advertiser too where its balance is too small, which is told once", () => {
    const { budgets } = budgetsOf({ ...offer, deposited_micros: 1999 });
    budgets.charge(bill);
    const broke = [{ id: "advertiser_3", depositedMicros: 1999, leftMicros: 999 }];
    expect(budgets.takeRanOut()).toEqual({ offers: [{ offer: 7, day: null }], broke });
    budgets.charge(bill);
    expect(budgets.takeRanOut()).toEqual({ offers: [{ offer: 7, day: null }], broke: [] });
  });

  test("is not the advertiser whose balance pays for exactly one more", () => {
    const { budgets } = budgetsOf({ ...offer, deposited_micros: 2000, total_click_cap: 1 });
    budgets.charge(bill);
    expect(budgets.takeRanOut().broke).toEqual([]);
  });
});

test("of an advertiser's offers those are too dear whose next event costs more than is left", () => {
  const free = { ...offer, number: 9, payout_model: "CPA" as const, payout_micros: 9000 };
  const byViews = { ...offer, number: 10, payout_model: "CPM" as const, payout_micros: 2_000_000 };
  expect(dearerThan(1000, [offer, dearer, free, byViews])).toEqual([8, 10]);
});
