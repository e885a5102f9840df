import type { PayoutModel } from "@offers/contract/words";
import { describe, expect, test } from "vitest";
import { factTypes } from "../../core/fact.ts";
import type { JournalEntry, Payer, Visit } from "../../core/journal-entry.ts";
import { dayMs, dayNumber, startOfDay } from "../../core/utc-day.ts";
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

    test.each<[string, number, PayoutModel, Partial<Visit>, string | null]>([
      ["is billed by its clicks is refused", cpc, "CPC", {}, "rate"],
      ["is billed by its views counts", cpm, "CPM", {}, null],
      ["is billed by what comes of a click counts", cpa, "CPA", {}, null],
      ["stands on a development website counts", cpc, "CPC", { test: true }, null],
    ])("a click above a limit on an offer that %s", async (_, offer, model, differing, refusal) => {
      const payer = payerOf(null, "home");
      const { journal } = await clickOn([{ at: morning, payer }]);
      const visit = visitOf("later", { at: minutes(1), ...differing });
      const [, click] = await journal.record(served(visit, [offer], { model }), hop(visit, offer, [], payer));
      expect(click?.refusal).toBe(refusal);
      expect(await journal.differences()).toEqual([]);
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
      const tried = visitOf("tried", { at: morning + 150_000, test: true });
      const [, ofTest] = await journal.record(
        served(tried, [cpm], { model: "CPM", micros: 50 }),
        impression(tried, cpm, [], viewer),
      );
      expect(ofTest, "a view that costs nobody anything meets no limit").toMatchObject({
        refusal: null,
        billedMicros: null,
      });
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

  const viewed = visitOf("r1");
  test.each<[string, JournalEntry[], number[]]>([
    [
      "by its own report, where a page has reported its click before",
      [beacon(viewed, cpm), impression(viewed, cpm)],
      [0, 1],
    ],
    [
      "by the followed click that overrules what spoke against it",
      [beacon(viewed, cpm), impression(viewed, cpm, ["datacenter"]), hop(viewed, cpm)],
      [0, 0, 1],
    ],
    [
      "by its followed click, and not by its report again",
      [hop(viewed, cpm), impression(viewed, cpm)],
      [1, 1],
    ],
    [
      "by its report, and not by its click again",
      [impression(viewed, cpm), beacon(viewed, cpm), hop(viewed, cpm)],
      [1, 1, 1],
    ],
  ])("a view is billed once: %s", async (_, entries, billed) => {
    const journal = await openJournal();
    await journal.record(served(viewed, [cpm], { model: "CPM", micros: 50 }));
    const lines: number[] = [];
    for (const entry of entries) {
      await journal.record(entry);
      lines.push((await journal.lines()).length);
    }
    expect(lines).toEqual(billed);
    expect(await journal.counters()).toMatchObject([{ impressions: 1, clicks: 1, spend_micros: 50 }]);
    expect(await journal.differences()).toEqual([]);
  });

  describe("weeks later", () => {
    const later = visitOf("r1", { at: morning + 20 * dayMs });

    test("a report moves no view that a followed link has made count", async () => {
      const journal = await openJournal();
      await journal.record(served(viewed, [cpc]), hop(viewed, cpc));
      const before = await journal.counters();
      const [report] = await journal.record(impression(later, cpc, ["expired"]));
      expect(report).toMatchObject({ refusal: null, addsNothing: true });
      expect(await journal.counters()).toEqual(before);
      expect(await journal.differences()).toEqual([]);
    });

    test("a link that is followed moves no click either that did not count", async () => {
      const journal = await openJournal();
      await journal.record(served(viewed, [cpa]), beacon(viewed, cpa, ["bot"]));
      const before = await journal.counters();
      expect(await journal.record(hop(later, cpa, ["expired"]))).toMatchObject([{ refusal: "expired" }]);
      expect((await journal.counters()).slice(0, 1)).toEqual(before);
      expect(await journal.differences()).toEqual([]);
    });

    test("a report of a click that counts is taken note of, and moves nothing", async () => {
      const journal = await openJournal();
      await journal.record(served(viewed, [cpc]), hop(viewed, cpc));
      const before = await journal.counters();
      const [report] = await journal.record(beacon(later, cpc, ["expired"]));
      expect(report).toMatchObject({ refusal: null, addsNothing: true });
      expect(await journal.counters()).toEqual(before);
      expect(await journal.differences()).toEqual([]);
    });

    test("a link that is followed takes no click back that its page has told", async () => {
      const journal = await openJournal();
      await journal.record(served(viewed, [cpa]), beacon(viewed, cpa));
      const before = await journal.counters();
      expect(before).toMatchObject([{ impressions: 1, clicks: 1 }]);
      expect(await journal.record(hop(later, cpa, ["expired"]))).toMatchObject([{ refusal: "expired" }]);
      const [first, second] = await journal.counters();
      expect([first]).toEqual(before);
      expect(second).toMatchObject({ impressions: 0, clicks: 0, filtered: 1 });
      expect(await journal.differences()).toEqual([]);
    });
  });

  test("what speaks against the report of a view that its click has billed is kept beside it", async () => {
    const journal = await openJournal();
    await journal.record(
      served(viewed, [cpm], { model: "CPM", micros: 50 }),
      hop(viewed, cpm),
      impression(viewed, cpm, ["datacenter"]),
    );
    const seen = (await journal.facts()).find(({ type }) => type === factTypes.impression);
    expect(seen).toMatchObject({ reason: null, overruled: "datacenter", billed_micros: 50 });
    expect(await journal.differences()).toEqual([]);
  });

  test("a view that a click implies when nothing is left for it counts, and costs nothing", async () => {
    const journal = await openJournal();
    const poor = await addOffer(journal.db, {
      ...{ id: "offer_poor", advertiser: "advertiser_1", payoutMicros: 50_000 },
      ...{ payout_model: "CPM", total_budget_micros: 50 },
    });
    for (const name of ["r1", "r2"]) {
      const visit = visitOf(name);
      await journal.record(served(visit, [poor], { model: "CPM", micros: 50 }), hop(visit, poor));
    }
    expect(await journal.counters()).toMatchObject([
      { impressions: 2, clicks: 2, spend_micros: 50, filtered: 0 },
    ]);
    const [seen] = await journal.record(impression(visitOf("r2"), poor));
    expect(seen).toMatchObject({ refusal: null, billedMicros: null, addsNothing: true });
    expect(await journal.lines()).toMatchObject([{ micros: -50 }]);
    expect(await journal.differences()).toEqual([]);
  });

  describe("what is never billed", () => {
    test.each([
      { name: "a beacon", entry: beacon(visitOf("r1"), cpc) },
      { name: "a beacon of a CPM offer, with the view that it implies,", entry: beacon(visitOf("r1"), cpm) },
      { name: "an impression of a CPC offer", entry: impression(visitOf("r1"), cpc) },
      { name: "a hop of a CPA offer", entry: hop(visitOf("r1"), cpa) },
    ])("$name counts and costs nothing", async ({ entry }) => {
      const journal = await openJournal();
      await journal.record(served(visitOf("r1"), [cpc]));
      await journal.record(served(visitOf("r1"), [cpm], { model: "CPM", micros: 50 }));
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
