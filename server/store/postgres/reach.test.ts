import { type PayoutModel, payoutModels } from "@offers/contract/words";
import { expect, test } from "vitest";
import { dayNumber } from "../../core/utc-day.ts";
import {
  beacon,
  blocked,
  hashOf,
  hop,
  impression,
  morning,
  reported,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { opening, sessionOf, trigger } from "../conformance/sessions-for-tests.ts";
import { reachOf } from "./reach.ts";

// In the middle of an hour, of which the last five minutes are in no other.
const visit = visitOf("r1", { at: morning + 1_800_000 });
const viewer = { visitor: hashOf("v"), network: hashOf("n") };
const modelOf = (offer: number): PayoutModel | null => payoutModels[offer - 1] ?? null;
const offerOf = (model: PayoutModel): number => payoutModels.indexOf(model) + 1;
const [cpc, cpm, cpa] = [offerOf("CPC"), offerOf("CPM"), offerOf("CPA")];

test.each([
  { name: "a decision", entry: blocked(visit), locked: [], visitors: 0, views: 0 },
  { name: "an answer", entry: served(visit, [cpc, cpm]), locked: [], visitors: 0, views: 0 },
  { name: "a beacon", entry: beacon(visit, cpc), locked: [], visitors: 0, views: 0 },
  {
    name: "an impression of a CPC offer",
    entry: impression(visit, cpc, [], viewer),
    locked: [],
    visitors: 0,
    views: 0,
  },
  {
    name: "an impression of a CPM offer",
    entry: impression(visit, cpm, [], viewer),
    locked: [cpm],
    visitors: 0,
    views: 2,
  },
  { name: "a hop of a CPC offer", entry: hop(visit, cpc), locked: [cpc], visitors: 2, views: 0 },
  { name: "a hop of a CPM offer", entry: hop(visit, cpm), locked: [cpm], visitors: 0, views: 1 },
  { name: "a hop of a CPA offer", entry: hop(visit, cpa), locked: [], visitors: 0, views: 0 },
  { name: "a hop of an offer that is not there", entry: hop(visit, 99), locked: [99], visitors: 2, views: 1 },
])("$name locks and reads what it may bill, and no more", ({ entry, locked, visitors, views }) => {
  const reach = reachOf([entry], { modelOf, wide: null });
  expect([...reach.requests]).toEqual([visit.request]);
  expect([...reach.bills.keys()]).toEqual(locked);
  expect([...reach.bills.values()].map((days) => [...days])).toEqual(locked.map(() => [dayNumber(morning)]));
  expect([reach.visitors.size, reach.views.size]).toEqual([visitors, views]);
});

test("a server's event that is too old to be recorded has its answer looked up, and locks and reads nothing else", () => {
  const answer = { scope: "publisher events", key: "k" };
  const reach = reachOf(
    [
      {
        ...reported(visit, cpm),
        type: "impression",
        viewer,
        idempotency: { ...answer, fingerprint: "f", isTooOld: true },
      },
    ],
    { modelOf, wide: null },
  );
  expect([...reach.answers.values()]).toEqual([answer]);
  const { requests, bills, views, websites } = reach;
  expect([requests, bills, views, websites].map(({ size }) => size)).toEqual([0, 0, 0, 0]);
});

test("where the rules have asked for more, all that any answer and any of the days can ask for is in it", () => {
  const reach = reachOf([impression(visit, cpc, [], viewer), hop(visit, cpa)], {
    modelOf,
    wide: { days: new Set([1]), websites: new Set([7]) },
  });
  expect(reach.websites).toEqual(new Set([7, 1]));
  expect(reach.bills).toEqual(
    new Map([
      [cpc, new Set([1, dayNumber(morning)])],
      [cpa, new Set([1, dayNumber(morning)])],
    ]),
  );
  expect([reach.visitors.size, reach.views.size]).toEqual([2, 3]);
});

test("a session that is opened and triggered at once is known by its request, and others by their ids", () => {
  const [one, two] = [sessionOf(1), sessionOf(2)];
  const reach = reachOf([opening(one), trigger(one.sessionId, morning), opening(two)], {
    modelOf,
    wide: null,
  });
  expect([...reach.requests]).toEqual([one.request]);
  expect([...reach.sessions]).toEqual([one.sessionId]);
  expect(reach.openings.get(one.websiteId)?.most).toBe(3);
});
