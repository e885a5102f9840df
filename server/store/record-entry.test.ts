import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { addOffer, beacon, blocked, hop, impression, morning, served, visitOf } from "./ledger-for-tests.ts";
import { newLedger } from "./written-ledger-for-tests.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const openLedger = async () => {
  const ledger = await newLedger(tmpdir());
  closing.push(ledger.close);
  return ledger;
};

describe("repetitions", () => {
  test("one event of each kind counts; every repetition is stored as a duplicate", async () => {
    const ledger = await openLedger();
    const visit = visitOf("r1");
    const entries = [
      blocked(visit),
      served(visit, ["offer_cpc"]),
      impression(visit, "offer_cpc"),
      beacon(visit, "offer_cpc"),
      hop(visit, "offer_cpc"),
    ];
    for (let round = 0; round < 3; round++) ledger.record(...entries);
    expect(ledger.counters()).toMatchObject([
      {
        vertical: "games",
        served: 1,
        impressions: 1,
        clicks: 1,
        billable_clicks: 1,
        spend_micros: 1000,
        filtered: 8,
      },
      { vertical: "news", blocked: 1, filtered: 2 },
    ]);
    const repetitions = ledger.rows().filter(({ first }) => first === null);
    expect(repetitions).toHaveLength(8);
    expect(new Set(repetitions.map(({ reason }) => reason))).toEqual(new Set(["duplicate"]));
    expect(await ledger.differences()).toEqual([]);
  });

  test("a repetition carries the first reason of all that were seen", async () => {
    const ledger = await openLedger();
    const visit = visitOf("r1");
    const [, , again, third] = ledger.record(
      served(visit, ["offer_cpc"]),
      hop(visit, "offer_cpc"),
      hop(visit, "offer_cpc", ["bot", "rate"]),
      hop(visit, "offer_cpc", ["paused"]),
    );
    expect(again?.refusal).toBe("bot");
    expect(third?.refusal).toBe("duplicate");
  });

  test("an offer that is handed out again keeps its first price", async () => {
    const ledger = await openLedger();
    const visit = visitOf("r1");
    const outcomes = ledger.record(
      served(visit, ["offer_cpc"], { micros: 700 }),
      served(visit, ["offer_cpc", "offer_cpa"], { micros: 900 }),
      served(visit, ["offer_cpc"], { micros: 900 }),
      hop(visit, "offer_cpc"),
    );
    expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, "duplicate", null]);
    expect(outcomes[3]?.billedMicros).toBe(700);
    expect(outcomes[3]?.eventId).toMatch(/^evt_[0-9a-f]{32}$/);
  });
});

describe("refusals", () => {
  test.each(["impression", "beacon", "hop"] as const)(
    "an unserved offer's %s is stored as not_served",
    async (kind) => {
      const ledger = await openLedger();
      const entry = { impression, beacon, hop }[kind](visitOf("r1"), "offer_cpc");
      expect(ledger.record(entry)).toMatchObject([{ refusal: "not_served", billedMicros: null }]);
      expect(ledger.counters()).toMatchObject([{ impressions: 0, clicks: 0, filtered: 1, spend_micros: 0 }]);
      expect(await ledger.differences()).toEqual([]);
    },
  );

  test("an earlier reason stands before not_served, a later one behind it", async () => {
    const ledger = await openLedger();
    const outcomes = ledger.record(
      hop(visitOf("r1"), "offer_cpc", ["paused", "geo_mismatch"]),
      hop(visitOf("r2"), "offer_cpc", ["paused"]),
    );
    expect(outcomes.map(({ refusal }) => refusal)).toEqual(["geo_mismatch", "not_served"]);
  });

  const returning = { today: "h2", yesterday: "h1" };
  const hours = (count: number) => morning + count * 3_600_000;
  test.each([
    {
      name: "the same hash an hour later",
      visitor: { today: "h1", yesterday: "h0" },
      at: hours(1),
      billed: false,
    },
    { name: "under the next day's salt, 23 hours later", visitor: returning, at: hours(23), billed: false },
    { name: "25 hours later", visitor: returning, at: hours(25), billed: true },
    { name: "another visitor", visitor: { today: "x2", yesterday: "x1" }, at: hours(1), billed: true },
    { name: "without a hash", visitor: null, at: hours(1), billed: true },
  ])(
    "a visitor who was billed is not billed again within 24 hours: $name",
    async ({ visitor, at, billed }) => {
      const ledger = await openLedger();
      const before = visitOf("r1", { visitor: { today: "h1", yesterday: "h0" } });
      const again = visitOf("r2", { visitor, at });
      ledger.record(served(before, ["offer_cpc"]), hop(before, "offer_cpc"));
      const [, outcome] = ledger.record(served(again, ["offer_cpc"]), hop(again, "offer_cpc"));
      expect(outcome).toMatchObject(
        billed ? { refusal: null, billedMicros: 1000 } : { refusal: "duplicate", billedMicros: null },
      );
      // It is the request's own first click, so its row is the primary one.
      expect(ledger.rows().find(({ request, type }) => request === "r2" && type === "click")).toMatchObject({
        first: 1,
      });
      expect(await ledger.differences()).toEqual([]);
    },
  );

  test("another offer is billed to the same visitor", async () => {
    const ledger = await openLedger();
    await addOffer(ledger.db, { id: "offer_two", advertiser: "advertiser_1", payoutMicros: 1000 });
    const visit = visitOf("r1");
    const outcomes = ledger.record(
      served(visit, ["offer_cpc", "offer_two"]),
      hop(visit, "offer_cpc"),
      hop(visit, "offer_two"),
    );
    expect(outcomes.slice(1).map(({ billedMicros }) => billedMicros)).toEqual([1000, 1000]);
  });
});

describe("what is never billed", () => {
  test.each([
    { name: "a beacon", entry: beacon(visitOf("r1"), "offer_cpc") },
    { name: "an impression of a CPC offer", entry: impression(visitOf("r1"), "offer_cpc") },
    { name: "a hop of a CPA offer", entry: hop(visitOf("r1"), "offer_cpa") },
  ])("$name counts and costs nothing", async ({ entry }) => {
    const ledger = await openLedger();
    ledger.record(served(visitOf("r1"), ["offer_cpc"]));
    ledger.record(served(visitOf("r1"), ["offer_cpa"], { model: "CPA", micros: 0 }));
    expect(ledger.record(entry)).toMatchObject([{ refusal: null, billedMicros: null }]);
    expect(ledger.lines()).toEqual([]);
    expect(ledger.spent("advertiser_1")).toBe(0);
  });

  test("test traffic is kept in cells of its own", async () => {
    const ledger = await openLedger();
    const visit = visitOf("r1", { test: true });
    const other = visitOf("r2", { test: true });
    ledger.record(
      blocked(visit),
      served(visit, ["offer_cpc"]),
      hop(visit, "offer_cpc"),
      served(visit, ["offer_cpm"], { model: "CPM", micros: 50 }),
      impression(visit, "offer_cpm"),
      served(other, ["offer_cpm"], { model: "CPM", micros: 50 }),
      hop(other, "offer_cpm"),
    );
    expect(ledger.counters()).toMatchObject([
      {
        test: 1,
        vertical: "games",
        served: 3,
        impressions: 3,
        clicks: 2,
        billable_clicks: 0,
        spend_micros: 0,
      },
      { test: 1, vertical: "news", blocked: 1 },
    ]);
    expect(ledger.lines()).toEqual([]);
    expect(await ledger.differences()).toEqual([]);
  });
});

test("a thousand pings of one page and hour are one row", async () => {
  const ledger = await openLedger();
  const ping = (at: number, host = "shop.example") => ({
    kind: "snippet_ping" as const,
    websiteId: 1,
    host,
    url: `https://${host}/a`,
    scriptVersion: "1.0.0",
    surface: "overlay" as const,
    at,
  });
  ledger.record(...Array.from({ length: 1000 }, (_, index) => ping(morning + index)));
  ledger.record(ping(morning + 3_600_000), ping(morning, "other.example"));
  const rows = await ledger.db.selectFrom("snippet_ping").selectAll().orderBy("hour").execute();
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ hour: morning, last_at: morning + 999 });
});
