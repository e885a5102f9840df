import { payoutModels, type RefusalReason, refusalReasons } from "@offers/contract/words";
import { expect, test } from "vitest";
import { clickVerdict, firstRefusal, impressionVerdict } from "./event-verdict.ts";

test("of two reasons the one that is checked first stands, whichever was seen first", () => {
  for (const [at, earlier] of refusalReasons.entries()) {
    for (const later of refusalReasons.slice(at)) {
      expect(firstRefusal([earlier, later])).toBe(earlier);
      expect(firstRefusal(new Set([later, earlier]))).toBe(earlier);
    }
  }
  expect(firstRefusal([])).toBeNull();
});

const cpc = { priceMicros: 250_000, payoutModel: "CPC" } as const;
const cpm = { priceMicros: 4_000, payoutModel: "CPM" } as const;
const click = { observed: [], source: "hop", test: false, served: cpc, visitorWasBilled: false } as const;
const countOnly = { outcome: "count_only" };
const refused = (reason: RefusalReason) => ({ outcome: "refuse", reason });

test("the hop of a CPC offer costs what was fixed when it was served", () => {
  expect(clickVerdict(click)).toEqual({ outcome: "charge", micros: 250_000 });
});

test.each([
  ["the beacon never charges", { source: "beacon" }, countOnly],
  ["test traffic never charges", { test: true }, countOnly],
  ["a test beacon counts", { test: true, source: "beacon" }, countOnly],
  ["a hop that was not served", { served: null }, refused("not_served")],
  ["a beacon that was not served", { served: null, source: "beacon" }, refused("not_served")],
  ["a test hop that was not served", { served: null, test: true }, refused("not_served")],
  ["an earlier reason beats not_served", { served: null, observed: ["bot"] }, refused("bot")],
  ["not_served beats a later reason", { served: null, observed: ["paused"] }, refused("not_served")],
  ["a visitor billed before", { visitorWasBilled: true }, refused("duplicate")],
  [
    "the beacon of a visitor billed before",
    { visitorWasBilled: true, source: "beacon" },
    refused("duplicate"),
  ],
  ["billed before and not served", { visitorWasBilled: true, served: null }, refused("duplicate")],
  ["billed before and too fast", { visitorWasBilled: true, observed: ["fast_click"] }, refused("fast_click")],
  ["billed before and paused", { visitorWasBilled: true, observed: ["paused"] }, refused("duplicate")],
  ["a refused test hop", { test: true, observed: ["rate"] }, refused("rate")],
] satisfies [string, Partial<Parameters<typeof clickVerdict>[0]>, object][])("%s", (_, over, verdict) => {
  expect(clickVerdict({ ...click, ...over })).toEqual(verdict);
});

test("every reason alone refuses a click and an impression", () => {
  for (const reason of refusalReasons) {
    expect(clickVerdict({ ...click, observed: [reason] })).toEqual(refused(reason));
    expect(impressionVerdict({ observed: [reason], test: false, served: cpm })).toEqual(refused(reason));
  }
});

test("only CPC charges a hop, and only CPM an impression", () => {
  for (const payoutModel of payoutModels) {
    const served = { priceMicros: 7, payoutModel };
    const charge = { outcome: "charge", micros: 7 };
    expect(clickVerdict({ ...click, served })).toEqual(payoutModel === "CPC" ? charge : countOnly);
    const impression = impressionVerdict({ observed: [], test: false, served });
    expect(impression).toEqual(payoutModel === "CPM" ? charge : countOnly);
    expect(impressionVerdict({ observed: [], test: true, served })).toEqual(countOnly);
  }
});

test.each([
  ["not served", [], refused("not_served")],
  ["not served, seen by a bot", ["bot"], refused("bot")],
  ["not served, of a paused offer", ["paused"], refused("not_served")],
] satisfies [string, RefusalReason[], object][])("an impression %s", (_, observed, verdict) => {
  expect(impressionVerdict({ observed, test: false, served: null })).toEqual(verdict);
});
