import { describe, expect, test } from "vitest";
import type { Payer } from "../../core/journal-entry.ts";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
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
  served,
  visitOf,
} from "./journal-for-tests.ts";
import { cpa, cpc, cpm, journalsOf } from "./open-journal-for-tests.ts";

/** What an event costs: how many of one visitor or network are billed, and what never is. */
export function describeBilling(engine: EngineUnderTest): void {
  const openJournal = journalsOf(engine);

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

    test("views cost something five times in five minutes in whatever order a server reports them", async () => {
      const journal = await openJournal();
      const viewer = { visitor: hashOf("viewer"), network: null };
      const refusedOf = async (seconds: number) => {
        const visit = visitOf(`r${seconds}`, { at: morning + 3_600_000 + seconds * 1000 });
        const answer = served(visit, [cpm], { model: "CPM", micros: 50 });
        const [, seen] = await journal.record(answer, impression(visit, cpm, [], viewer));
        return seen?.refusal;
      };
      for (const seconds of [0, 60, 61, 120, 121]) expect(await refusedOf(seconds)).toBe(null);
      // Of the hour before, and more than five minutes before the first.
      expect([await refusedOf(-60), await refusedOf(-400)]).toEqual(["rate", null]);
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

  test.each([
    ["a few events", 1],
    ["more events than are read at once", 250],
  ])(
    "a view of before midnight is billed on its day by a click after it, under a request of %s",
    async (_, many) => {
      const journal = await openJournal();
      const midnight = startOfDay(dayNumber(morning) + 1);
      const before = visitOf("r1", { at: midnight - 1000 });
      const after = visitOf("r1", { at: midnight + 1000 });
      const others = Array.from({ length: many }, (_, index) => served(before, [100 + index]));
      await journal.record(served(before, [cpm], { model: "CPM", micros: 50 }), ...others);
      expect(await journal.record(impression(before, cpm, ["rate"]))).toMatchObject([{ refusal: "rate" }]);
      expect(await journal.record(hop(after, cpm))).toMatchObject([{ refusal: null }]);
      expect(await journal.lines()).toEqual([{ kind: "impression", micros: -50 }]);
      expect(await journal.spend("offer_cpm", before.at)).toMatchObject({ spent_micros: 50 });
      expect(await journal.spend("offer_cpm", after.at)).toMatchObject({ spent_micros: 0 });
      expect(await journal.differences()).toEqual([]);
    },
  );

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

    test("a view that was reported before its offer was handed out is billed where the offer stood, in its currency", async () => {
      const journal = await openJournal();
      const visit = visitOf("r1");
      const early = { ...impression(visit, cpm), placement: "standard" as const };
      const handed = served(visit, [cpm], { model: "CPM", micros: 50 });
      const click = hop(visit, cpm);
      const outcomes = await journal.record(early, { ...handed, kind: "noted" }, click);
      expect(outcomes.map(({ refusal }) => refusal)).toEqual(["not_served", null, null]);
      const lines = await journal.db
        .selectFrom("ledger_line")
        .select(["micros", "currency"])
        .where("kind", "=", "impression")
        .execute();
      expect(lines).toEqual([{ micros: -50, currency: handed.offers[0]?.currency }]);
      const facts = (await journal.facts()).filter(({ offer }) => offer === cpm);
      expect(new Set(facts.map(({ cell, placement }) => `${cell} ${placement}`)).size).toBe(1);
      expect(facts).toHaveLength(2);
      expect(await journal.differences()).toEqual([]);
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
}
