import { payoutModels, type RefusalReason, refusalReasons } from "@offers/contract/words";
import { expect, test } from "vitest";
import { clickVerdict, firstRefusal, impressionVerdict, isNobodys } from "./event-verdict.ts";

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
const sight = { readableMs: 5000, decidedIn: 1, clickedIn: 1 };
const click = { observed: [], sight, source: "hop", test: false, served: cpc, limit: null } as const;
const view = { observed: [], test: false, isAboveLimit: false } as const;
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
  ["a visitor billed before", { limit: "duplicate" }, refused("duplicate")],
  ["a caller above a limit", { limit: "rate" }, refused("rate")],
  ["billed before and not served", { limit: "duplicate", served: null }, refused("duplicate")],
  ["billed before and paused", { limit: "duplicate", observed: ["paused"] }, refused("duplicate")],
  ["above a limit and from elsewhere", { limit: "rate", observed: ["geo_mismatch"] }, refused("rate")],
  ["above a limit and a robot's", { limit: "rate", observed: ["bot"] }, refused("bot")],
  ["too fast", { sight: { ...sight, readableMs: 799 } }, refused("fast_click")],
  ["too fast, of a beacon", { sight: { ...sight, readableMs: 0 }, source: "beacon" }, refused("fast_click")],
  ["just read", { sight: { ...sight, readableMs: 800 } }, { outcome: "charge", micros: 250_000 }],
  [
    "before it was handed out, by a clock that was set back",
    { sight: { ...sight, readableMs: -1 } },
    { outcome: "charge", micros: 250_000 },
  ],
  ["at no known time", { sight: { ...sight, readableMs: null } }, { outcome: "charge", micros: 250_000 }],
  ["in another browser", { sight: { ...sight, clickedIn: 3 } }, refused("user_agent_mismatch")],
  ["in an unknown browser", { sight: { ...sight, clickedIn: null } }, { outcome: "charge", micros: 250_000 }],
  [
    "billed before, too fast",
    { limit: "duplicate", sight: { ...sight, readableMs: 1 } },
    refused("fast_click"),
  ],
  [
    "too fast in another browser",
    { sight: { readableMs: 1, decidedIn: 3, clickedIn: 1 } },
    refused("user_agent_mismatch"),
  ],
  [
    "in another browser, from elsewhere",
    { observed: ["geo_mismatch"], sight: { ...sight, decidedIn: 3 } },
    refused("geo_mismatch"),
  ],
  ["a refused test hop", { test: true, observed: ["rate"] }, refused("rate")],
] satisfies [string, Partial<Parameters<typeof clickVerdict>[0]>, object][])("%s", (_, over, verdict) => {
  expect(clickVerdict({ ...click, ...over })).toEqual(verdict);
});

test("every reason alone refuses a click and an impression", () => {
  for (const reason of refusalReasons) {
    expect(clickVerdict({ ...click, observed: [reason] })).toEqual(refused(reason));
    expect(impressionVerdict({ ...view, observed: [reason], served: cpm })).toEqual(refused(reason));
  }
});

test("only CPC charges a hop, and only CPM an impression", () => {
  for (const payoutModel of payoutModels) {
    const served = { priceMicros: 7, payoutModel };
    const charge = { outcome: "charge", micros: 7 };
    expect(clickVerdict({ ...click, served })).toEqual(payoutModel === "CPC" ? charge : countOnly);
    const impression = impressionVerdict({ ...view, served });
    expect(impression).toEqual(payoutModel === "CPM" ? charge : countOnly);
    expect(impressionVerdict({ ...view, test: true, served })).toEqual(countOnly);
  }
});

test.each([
  ["not served", [], refused("not_served")],
  ["not served, seen by a bot", ["bot"], refused("bot")],
  ["not served, of a paused offer", ["paused"], refused("not_served")],
] satisfies [string, RefusalReason[], object][])("an impression %s", (_, observed, verdict) => {
  expect(impressionVerdict({ ...view, observed, served: null })).toEqual(verdict);
});

test("an impression above the limit of views costs nothing", () => {
  expect(impressionVerdict({ ...view, served: cpm, isAboveLimit: true })).toEqual(refused("rate"));
});

test("a link was followed by nobody where a program is known to have fetched it, and by nothing else", () => {
  expect(refusalReasons.filter((reason) => isNobodys(["rate", reason]))).toEqual([
    "search_engine",
    "bot",
    "empty_user_agent",
    "not_navigated",
    "datacenter",
  ]);
  expect(isNobodys([])).toBe(false);
});
