import { describe, expect, test } from "vitest";
import { factTypes } from "../../core/fact.ts";
import type { Payer } from "../../core/journal-entry.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";
import {
  addOffer,
  beacon,
  blocked,
  hashOf,
  hop,
  impression,
  morning,
  payerOf,
  requestOf,
  served,
  visitOf,
} from "./journal-for-tests.ts";
import { cpc, journalsOf } from "./open-journal-for-tests.ts";

/** Which events are refused, and for which reason: what the call showed, and what the store alone can tell. */
export function describeRefusals(engine: EngineUnderTest): void {
  const openJournal = journalsOf(engine);

  describe("refusals", () => {
    test.each(["impression", "beacon", "hop"] as const)(
      "an unserved offer's %s is stored as not_served",
      async (kind) => {
        const journal = await openJournal();
        const entry = { impression, beacon, hop }[kind](visitOf("r1"), cpc);
        expect(await journal.record(entry)).toMatchObject([{ refusal: "not_served", billedMicros: null }]);
        expect(await journal.counters()).toMatchObject([
          { impressions: 0, clicks: 0, filtered: 1, spend_micros: 0 },
        ]);
        expect(await journal.differences()).toEqual([]);
      },
    );

    test("an earlier reason stands before not_served, a later one behind it", async () => {
      const journal = await openJournal();
      const outcomes = await journal.record(
        hop(visitOf("r1"), cpc, ["paused", "geo_mismatch"]),
        hop(visitOf("r2"), cpc, ["paused"]),
      );
      expect(outcomes.map(({ refusal }) => refusal)).toEqual(["geo_mismatch", "not_served"]);
    });

    /** In a network of their own. */
    const named = (today: string, yesterday: string): Payer => ({
      ...payerOf(null, today),
      visitors: { today: hashOf(today), yesterday: hashOf(yesterday) },
    });
    const returning = named("h2", "h1");
    const hours = (count: number) => morning + count * 3_600_000;
    test.each([
      {
        name: "the same hash an hour later",
        payer: named("h1", "h0"),
        at: hours(1),
        billed: false,
      },
      {
        name: "under the next day's salt, 23 hours later",
        payer: returning,
        at: hours(23),
        billed: false,
      },
      { name: "25 hours later", payer: returning, at: hours(25), billed: true },
      { name: "another visitor", payer: named("x2", "x1"), at: hours(1), billed: true },
      {
        name: "without a hash, in another network",
        payer: payerOf(null, "other"),
        at: hours(1),
        billed: true,
      },
    ])(
      "a visitor who was billed is not billed again within 24 hours: $name",
      async ({ payer, at, billed }) => {
        const journal = await openJournal();
        const before = visitOf("r1");
        const again = visitOf("r2", { at });
        await journal.record(served(before, [cpc]), hop(before, cpc, [], named("h1", "h0")));
        const [, outcome] = await journal.record(served(again, [cpc]), hop(again, cpc, [], payer));
        expect(outcome).toMatchObject(
          billed ? { refusal: null, billedMicros: 1000 } : { refusal: "duplicate", billedMicros: null },
        );
        // It is the request's own first click, so its row is the primary one.
        const own = (await journal.facts()).find(
          ({ request, type }) => request === requestOf("r2") && type === factTypes.click,
        );
        expect(own?.seq).toBe(0);
        expect(await journal.differences()).toEqual([]);
      },
    );

    test("another offer is billed to the same visitor", async () => {
      const journal = await openJournal();
      const two = await addOffer(journal.db, {
        id: "offer_two",
        advertiser: "advertiser_1",
        payoutMicros: 1000,
      });
      const visit = visitOf("r1");
      const payer = payerOf("v1", "w1");
      const other = { ...payer, networks: payerOf("v1", "w2").networks };
      const outcomes = await journal.record(
        served(visit, [cpc, two]),
        hop(visit, cpc, [], payer),
        hop(visit, two, [], other),
      );
      expect(outcomes.slice(1).map(({ billedMicros }) => billedMicros)).toEqual([1000, 1000]);
    });
  });

  describe("what a click tells of its visit", () => {
    const clicked = (ms: number) => visitOf("r1", { at: morning - 1000 + ms, browser: 1 });
    test.each([
      { name: "799 ms after it was handed out", entry: hop(clicked(799), cpc), refusal: "fast_click" },
      { name: "800 ms after", entry: hop(clicked(800), cpc), refusal: null },
      {
        name: "799 ms after it was drawn, though it was handed out before",
        entry: hop(clicked(5799), cpc),
        drawnMs: 5000,
        refusal: "fast_click",
      },
      { name: "800 ms after it was drawn", entry: hop(clicked(5800), cpc), drawnMs: 5000, refusal: null },
      { name: "a beacon at once", entry: beacon(clicked(0), cpc), refusal: "fast_click" },
      {
        name: "a server's report at once",
        entry: { ...beacon(clicked(0), cpc), isReported: true },
        refusal: null,
      },
      {
        name: "another browser",
        entry: hop({ ...clicked(1000), browser: 3 }, cpc),
        refusal: "user_agent_mismatch",
      },
      { name: "an unknown browser", entry: hop({ ...clicked(1000), browser: null }, cpc), refusal: null },
      {
        name: "another browser's impression",
        entry: impression({ ...clicked(0), browser: 3 }, cpc),
        refusal: null,
      },
    ])("$name: $refusal", async ({ entry, drawnMs, refusal }) => {
      const journal = await openJournal();
      const visit = visitOf("r1", { browser: 1 });
      // The browser of the decision counts, not that of the offers.
      await journal.record(blocked(visit), served({ ...visit, browser: 5 }, [cpc]));
      if (drawnMs !== undefined) {
        await journal.record({ kind: "drawn", visit: clicked(drawnMs), offers: [cpc] });
      }
      expect(await journal.record(entry)).toMatchObject([{ refusal }]);
      expect(await journal.differences()).toEqual([]);
    });
  });
}
