import { afterEach, describe, expect, test } from "vitest";
import { factTypes } from "../../core/fact.ts";
import type { JournalEntry, Payer } from "../../core/journal-entry.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { type EngineUnderTest, readingOf } from "./engine-under-test.ts";
import {
  addAdvertiser,
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

const [cpc, cpm, cpa] = [1, 2, 3] as const;

/** What becomes of entries: repetitions, refusals, what bills and what does not. */
export function describeRecording(engine: EngineUnderTest): void {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** A CPC, a CPM and a CPA offer of an advertiser with 100,000 micro-units. */
  const openJournal = async () => {
    const database = await engine.newDatabase();
    closing.push(database.close);
    const { db } = database;
    const advertiser = "advertiser_1";
    await addAdvertiser(db, advertiser, 100_000);
    await addOffer(db, { id: "offer_cpc", advertiser, payoutMicros: 1000 });
    await addOffer(db, { id: "offer_cpm", advertiser, payoutMicros: 50_000, payout_model: "CPM" });
    await addOffer(db, { id: "offer_cpa", advertiser, payoutMicros: 7, payout_model: "CPA" });
    const record = (...entries: JournalEntry[]) => database.record(entries);
    return { db, record, ...readingOf(database) };
  };

  describe("repetitions", () => {
    test("twenty repetitions of an event are kept; all are counted as filtered", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      await journal.record(served(visit, [cpc]), hop(visit, cpc));
      const again = Array.from({ length: 30 }, () => hop(visit, cpc));
      const outcomes = await journal.record(...again);
      expect(new Set(outcomes.map(({ refusal }) => refusal))).toEqual(new Set(["duplicate"]));
      const clicks = (await journal.facts()).filter(({ type }) => type === factTypes.click);
      expect(clicks).toHaveLength(1 + 20);
      expect(await journal.counters()).toMatchObject([{ clicks: 1, billable_clicks: 1, filtered: 30 }]);
      expect(await journal.differences()).toEqual([]);
    });

    test("one event of each kind counts; every repetition is stored as a duplicate", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const entries = [
        blocked(visit),
        served(visit, [cpc]),
        impression(visit, cpc),
        beacon(visit, cpc),
        hop(visit, cpc),
      ];
      for (let round = 0; round < 3; round++) await journal.record(...entries);
      expect(await journal.counters()).toMatchObject([
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
      const repetitions = (await journal.facts()).filter(({ seq }) => seq > 0);
      expect(repetitions).toHaveLength(8);
      expect(new Set(repetitions.map(({ reason }) => reason))).toEqual(new Set(["duplicate"]));
      expect(await journal.differences()).toEqual([]);
    });

    test("a visit that the journal itself comes with again is the same visit, whether or not it was written", async () => {
      const journal = await openJournal();
      const known = blocked(visitOf("r1"));
      const unknown = blocked(visitOf("r2"));
      const again = [known, unknown].map((entry) => ({ ...entry, isAgain: true as const }));
      const [first] = await journal.record(known);
      // In one batch and in one more: what is read ahead and what is read from the disk.
      const outcomes = [...(await journal.record(...again, ...again)), ...(await journal.record(...again))];
      expect(new Set(outcomes.map(({ eventId }) => eventId)).size).toBe(2);
      expect(outcomes[0]).toEqual(first);
      expect(new Set(outcomes.map(({ refusal }) => refusal))).toEqual(new Set([null]));
      expect(await journal.facts()).toHaveLength(2);
      expect(await journal.counters()).toMatchObject([{ vertical: "news", blocked: 2, filtered: 0 }]);
      expect(await journal.differences()).toEqual([]);
    });

    test("a repetition carries the first reason of all that were seen", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const [, , again, third] = await journal.record(
        served(visit, [cpc]),
        hop(visit, cpc),
        hop(visit, cpc, ["bot", "rate"]),
        hop(visit, cpc, ["paused"]),
      );
      expect(again?.refusal).toBe("bot");
      expect(third?.refusal).toBe("duplicate");
    });

    test("an offer that is handed out again keeps its first price", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const outcomes = await journal.record(
        served(visit, [cpc], { micros: 700 }),
        served(visit, [cpc, cpa], { micros: 900 }),
        served(visit, [cpc], { micros: 900 }),
        hop(visit, cpc),
      );
      expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, "duplicate", null]);
      expect(outcomes[3]?.billedMicros).toBe(700);
      expect(outcomes[3]?.eventId).toMatch(/^evt_[\w-]{27}$/);
    });
  });

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

  describe("limits of billing", () => {
    const minutes = (count: number) => morning + count * 60_000;
    /** Visits with a click on the CPC offer each; why each was not billed, or null. */
    const clickOn = async (clicks: { at: number; payer: Payer }[]) => {
      const journal = await openJournal();
      const refusals: (string | null | undefined)[] = [];
      // Each click in a batch, and so a transaction, of its own.
      for (const [number, { at, payer }] of clicks.entries()) {
        const visit = visitOf(`r${number}`, { at });
        const [, outcome] = await journal.record(served(visit, [cpc]), hop(visit, cpc, [], payer));
        refusals.push(outcome?.refusal);
      }
      expect(await journal.differences()).toEqual([]);
      return { refusals, journal };
    };
    /** One network, as it is called under the salt of the day and of the day before. */
    const inOffice = (visitor: string, at: number): Payer => {
      const day = dayNumber(at);
      return {
        ...payerOf(visitor, ""),
        networks: { today: hashOf(`n${day}`), yesterday: hashOf(`n${day - 1}`) },
      };
    };
    const billedOf = (refusals: readonly unknown[]) => refusals.filter((reason) => reason === null).length;

    test("one network's visitors are billed three times in ten minutes, ten in an hour, 25 in a day", async () => {
      const clicks = Array.from({ length: 24 * 30 }, (_, number) => ({
        at: minutes(number * 2),
        payer: inOffice(`v${number}`, minutes(number * 2)),
      }));
      const { refusals } = await clickOn(clicks);
      expect(billedOf(refusals.slice(0, 5))).toBe(3);
      expect(billedOf(refusals.slice(0, 30))).toBe(10);
      expect(billedOf(refusals)).toBe(25);
      expect(new Set(refusals)).toEqual(new Set([null, "rate"]));
    });

    test("one visitor's clicks on many offers are limited alike", async () => {
      const journal = await openJournal();
      const payer = (offer: number) => ({
        ...payerOf("v1", `${offer}`),
        visitors: payerOf("v1", "").visitors,
      });
      const offers: number[] = [];
      for (let number = 0; number < 5; number += 1) {
        const offer = { id: `offer_more${number}`, advertiser: "advertiser_1", payoutMicros: 10 };
        offers.push(await addOffer(journal.db, offer));
      }
      const visit = visitOf("r1");
      const hops = offers.map((offer) => hop(visit, offer, [], payer(offer)));
      const [, ...outcomes] = await journal.record(served(visit, offers), ...hops);
      expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, null, "rate", "rate"]);
    });

    test("whoever switches their name on and off is billed once in ten minutes", async () => {
      const unnamed = payerOf(null, "home");
      const withName = payerOf("v1", "home");
      const first = await clickOn(
        [unnamed, withName, unnamed].map((payer, at) => ({ at: minutes(at), payer })),
      );
      expect(first.refusals).toEqual([null, "rate", "rate"]);
      const second = await clickOn(
        [withName, unnamed, withName].map((payer, at) => ({ at: minutes(at), payer })),
      );
      expect(second.refusals).toEqual([null, "rate", "duplicate"]);
    });

    test("a network is known over midnight, and its name is tied to no event", async () => {
      const midnight = 14 * 60;
      const clicks = [-3, -2, -1, 1].map((minute) => {
        const at = minutes(midnight + minute);
        return { at, payer: inOffice(`v${minute}`, at) };
      });
      const { refusals, journal } = await clickOn(clicks);
      expect(refusals).toEqual([null, null, null, "rate"]);
      const rows = await journal.db.selectFrom("billed_network").selectAll().execute();
      expect(rows.map(({ at, clicks }) => [at % 60_000, clicks])).toEqual([
        [0, 1],
        [0, 1],
        [0, 1],
      ]);
    });

    test("a visitor's views of an offer cost something five times in five minutes, reported or implied", async () => {
      const journal = await openJournal();
      const viewer = { visitor: hashOf("viewer"), network: null };
      const billed: (number | null | undefined)[] = [];
      for (let number = 0; number < 14; number += 1) {
        const visit = visitOf(`r${number}`, { at: morning + number * 30_000 });
        const event = number % 2 === 0 ? impression(visit, cpm, [], viewer) : { ...hop(visit, cpm), viewer };
        await journal.record(served(visit, [cpm], { model: "CPM", micros: 50 }), event);
        billed.push((await journal.lines()).length);
      }
      // The first minute falls out of the five after six of them.
      expect(billed).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 7]);
      expect(await journal.differences()).toEqual([]);
      const other = visitOf("other", { at: morning + 150_000 });
      const [, seen] = await journal.record(
        served(other, [cpm], { model: "CPM", micros: 50 }),
        impression(other, cpm, [], { visitor: hashOf("another"), network: null }),
      );
      expect(seen?.billedMicros).toBe(50);
    });
  });

  test.each([
    ["whoever they say they are: thirty", (number: number) => hashOf(`viewer ${number}`), 30],
    ["of nobody who may be named: five", () => null, 5],
    [
      "of one who is named every second time: five",
      (number: number) => (number % 2 === 0 ? hashOf("one") : null),
      5,
    ],
  ])("a network's views of an offer cost something in five minutes, %s", async (_, visitorOf, most) => {
    const journal = await openJournal();
    for (let number = 0; number < 40; number += 1) {
      const visit = visitOf(`n${number}`, { at: morning + number * 1000 });
      const viewer = { visitor: visitorOf(number), network: hashOf("network") };
      await journal.record(
        served(visit, [cpm], { model: "CPM", micros: 50 }),
        impression(visit, cpm, [], viewer),
      );
    }
    expect((await journal.lines()).length).toBe(most);
  });

  test.each([
    ["a click", "CPC", (): number => cpc],
    ["an impression that a click implies", "CPM", (): number => cpm],
  ] as const)("%s from another website than the one of the answer is billed as its", async (_, model, of) => {
    const journal = await openJournal();
    const offer = of();
    const [here, there] = [visitOf("r1"), visitOf("r1", { websiteId: 2 })];
    await journal.record(served(there, [offer], { model, micros: 50 }));
    await journal.record(hop(here, offer));
    expect(await journal.lines()).toMatchObject([{ micros: -50 }]);
    expect(await journal.differences()).toEqual([]);
  });

  describe("what a click tells of its visit", () => {
    const clicked = (ms: number) => visitOf("r1", { at: morning - 1000 + ms, browser: 1 });
    test.each([
      { name: "799 ms after it was handed out", entry: hop(clicked(799), cpc), refusal: "fast_click" },
      { name: "800 ms after", entry: hop(clicked(800), cpc), refusal: null },
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
    ])("$name: $refusal", async ({ entry, refusal }) => {
      const journal = await openJournal();
      const visit = visitOf("r1", { browser: 1 });
      // The browser of the decision counts, not that of the offers.
      await journal.record(blocked(visit), served({ ...visit, browser: 5 }, [cpc]));
      expect(await journal.record(entry)).toMatchObject([{ refusal }]);
      expect(await journal.differences()).toEqual([]);
    });
  });

  describe("what is never billed", () => {
    test.each([
      { name: "a beacon", entry: beacon(visitOf("r1"), cpc) },
      { name: "an impression of a CPC offer", entry: impression(visitOf("r1"), cpc) },
      { name: "a hop of a CPA offer", entry: hop(visitOf("r1"), cpa) },
    ])("$name counts and costs nothing", async ({ entry }) => {
      const journal = await openJournal();
      await journal.record(served(visitOf("r1"), [cpc]));
      await journal.record(served(visitOf("r1"), [cpa], { model: "CPA", micros: 0 }));
      expect(await journal.record(entry)).toMatchObject([{ refusal: null, billedMicros: null }]);
      expect(await journal.lines()).toEqual([]);
      expect(await journal.spend("advertiser_1")).toEqual({ spent_micros: 0, billed_clicks: 0 });
    });

    test("test traffic is kept in cells of its own", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1", { test: true });
      const other = visitOf("r2", { test: true });
      await journal.record(
        blocked(visit),
        served(visit, [cpc]),
        hop(visit, cpc),
        served(visit, [cpm], { model: "CPM", micros: 50 }),
        impression(visit, cpm),
        served(other, [cpm], { model: "CPM", micros: 50 }),
        hop(other, cpm),
      );
      expect(await journal.counters()).toMatchObject([
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
      expect(await journal.lines()).toEqual([]);
      expect(await journal.differences()).toEqual([]);
    });
  });

  test("a thousand pings of one page and hour are one row", async () => {
    const journal = await openJournal();
    const ping = (at: number, host = "shop.example") => ({
      kind: "snippet_ping" as const,
      websiteId: 1,
      host,
      url: `https://${host}/a`,
      scriptVersion: "1.0.0",
      surface: "overlay" as const,
      at,
    });
    await journal.record(...Array.from({ length: 1000 }, (_, index) => ping(morning + index)));
    await journal.record(ping(morning + 3_600_000), ping(morning, "other.example"));
    const rows = await journal.db.selectFrom("snippet_ping").selectAll().orderBy("hour").execute();
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ hour: morning, last_at: morning + 999, loads: 1000 });
  });
}
