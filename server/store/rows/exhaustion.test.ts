import { expect, test } from "vitest";
import { createExhaustion, type SpentOffer } from "./exhaustion.ts";

const offer: SpentOffer = {
  ...{ number: 7, payout_model: "CPC", payout_micros: 1000, pacing: "asap", created_at: 5 },
  ...{ daily_budget_micros: null, total_budget_micros: null, daily_click_cap: null, total_click_cap: null },
  ...{
    deposited_micros: 10_000,
    total_micros: 0,
    total_clicks: 0,
    day_micros: 0,
    day_clicks: 0,
    paid_micros: 0,
  },
};

test.each<[string, Partial<SpentOffer>, boolean]>([
  ["one that has spent nothing", {}, false],
  ["one whose total pays for one more", { total_budget_micros: 3000, total_micros: 2000 }, false],
  ["one whose total does not", { total_budget_micros: 3000, total_micros: 2001 }, true],
  ["one whose day's budget does not", { daily_budget_micros: 3000, day_micros: 2001 }, true],
  ["one whose clicks are used up", { total_click_cap: 3, total_clicks: 3 }, true],
  ["one whose day's clicks are", { daily_click_cap: 3, day_clicks: 3 }, true],
  ["one whose advertiser can pay for one more", { paid_micros: 9000 }, false],
  ["one whose advertiser cannot", { paid_micros: 9001 }, true],
  ["one that bills nothing here", { payout_model: "CPA", deposited_micros: 0 }, false],
])("of offers %s has run out: %j", (_, over, isExhausted) => {
  const exhaustion = createExhaustion();
  exhaustion.judge([{ ...offer, ...over }], 20_777);
  expect(exhaustion.all()).toEqual({ exhausted: isExhausted ? [7] : [], paced: [] });
});

test("one that has room again has it, those that are not told stay as they were, and all are forgotten together", () => {
  const exhaustion = createExhaustion();
  const spent = { ...offer, total_click_cap: 1, total_clicks: 1 };
  exhaustion.judge([spent, { ...spent, number: 8 }], 20_777);
  exhaustion.judge([{ ...spent, total_click_cap: 2 }], 20_777);
  expect(exhaustion.all().exhausted).toEqual([8]);
  exhaustion.forget();
  expect(exhaustion.all()).toEqual({ exhausted: [], paced: [] });
});

test("of one that is spread over the day it is told how far it has come with it", () => {
  const exhaustion = createExhaustion();
  const even = { ...offer, pacing: "even", daily_budget_micros: 8000, day_micros: 2000 };
  exhaustion.judge([even, { ...even, number: 8, pacing: "asap" }], 20_777);
  expect(exhaustion.all().paced).toEqual([{ offer: 7, day: 20_777, spentShare: 0.25, createdAt: 5 }]);
  exhaustion.forget();
  expect(exhaustion.all().paced).toEqual([]);
});
