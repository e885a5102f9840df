import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JournalEntry, JournalOutcome, ServerEventEntry } from "../../core/journal-entry.ts";
import { findPostgres } from "../../testing/postgres-server.ts";
import { readingOf } from "../conformance/engine-under-test.ts";
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
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { opening, sessionOf, trigger } from "../conformance/sessions-for-tests.ts";
import { openWriters, startDatabases } from "./postgres-for-tests.ts";

let databases: Awaited<ReturnType<typeof startDatabases>>;
beforeAll(async () => {
  if (findPostgres() !== null) databases = await startDatabases();
});
afterAll(() => databases?.remove());

const [one, two, three, four, cpm] = [1, 2, 3, 4, 5] as const;
/** They race for seconds, on a machine that may stand still for some of them: what is timed out there says nothing of who bills. */
const patient = {
  statement_timeout: 30_000,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** Offers of one advertiser or of several, and so many writers, each of which writes one batch after the other while the others do. */
const newRace = async (
  count: number,
  caps: { daily_click_cap?: number; micros?: number; areApart?: boolean; isolation?: string } = {},
) => {
  const database = await databases.newDatabase();
  if (caps.isolation !== undefined) {
    const name = new URL(database.url).pathname.slice(1);
    await databases.ask(`alter database ${name} set default_transaction_isolation = '${caps.isolation}'`);
  }
  const { db, url } = database;
  await addAdvertiser(db, "advertiser_1", caps.micros ?? 100_000_000);
  const { daily_click_cap } = caps;
  for (const id of ["one", "two", "three", "four"]) {
    const cap = daily_click_cap === undefined || id !== "one" ? {} : { daily_click_cap };
    const advertiser = caps.areApart ? `advertiser_of_${id}` : "advertiser_1";
    if (caps.areApart) await addAdvertiser(db, advertiser, 100_000_000);
    await addOffer(db, { id, advertiser, payoutMicros: 1000, ...cap });
  }
  await addOffer(db, { id: "cpm", advertiser: "advertiser_1", payoutMicros: 50_000, payout_model: "CPM" });
  const writers = await openWriters(url, count, patient);
  onTestFinished(database.close);
  const write = async (number: number, entries: readonly JournalEntry[]): Promise<JournalOutcome[]> => {
    const written = await writers[number % count]?.write(entries, 0);
    expect(written?.written.failures).toEqual([]);
    return (written?.written.outcomes ?? []).flatMap((outcome) => outcome ?? []);
  };
  return {
    ...readingOf(database),
    db,
    write,
    /** Shares the entries out among the writers, all of whom write at once, in batches of `size`. */
    atOnce: async (entries: readonly JournalEntry[], size: number): Promise<JournalOutcome[]> => {
      const outcomes = await Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const own = entries.filter((__, at) => at % count === number);
          const ended: JournalOutcome[] = [];
          while (own.length > 0) ended.push(...(await write(number, own.splice(0, size))));
          return ended;
        }),
      );
      return outcomes.flat();
    },
  };
};

const billedOf = (outcomes: readonly JournalOutcome[]): number =>
  outcomes.filter(({ billedMicros }) => billedMicros !== null).length;
const many = <T>(length: number, make: (number: number) => T): T[] =>
  Array.from({ length }, (_, number) => make(number));

describe.skipIf(findPostgres() === null)("writers who write at once", () => {
  test("bill a visitor's click on an offer once, though each of 200 requests brings one", async () => {
    const race = await newRace(4);
    const payer = payerOf("v", "n");
    const visits = many(200, (number) => visitOf(`r${number}`));
    await race.atOnce(
      visits.map((visit) => served(visit, [one])),
      20,
    );
    const outcomes = await race.atOnce(
      visits.map((visit) => hop(visit, one, [], payer)),
      5,
    );
    expect(billedOf(outcomes)).toBe(1);
    expect(outcomes).toHaveLength(200);
    expect(await race.spend("one")).toEqual({ spent_micros: 1000, billed_clicks: 1 });
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("bill a visitor three clicks in ten minutes over all offers, also those of other advertisers", async () => {
    const race = await newRace(4, { areApart: true, isolation: "repeatable read" });
    const offers = [one, two, three, four];
    const visitors = many(40, (number) => number);
    await race.atOnce(
      visitors.flatMap((visitor) => offers.map((offer) => served(visitOf(`r${visitor}o${offer}`), [offer]))),
      20,
    );
    // Each visitor clicks on all of them at the same moment, and the writers have one each.
    const outcomes: JournalOutcome[] = [];
    for (const visitor of visitors) {
      const clicks = offers.map(async (offer, number) => {
        const visit = visitOf(`r${visitor}o${offer}`);
        return race.write(number, [hop(visit, offer, [], payerOf(`v${visitor}`, `n${visitor}o${offer}`))]);
      });
      outcomes.push(...(await Promise.all(clicks)).flat());
    }
    const clicks = await race.db.selectFrom("billed_click").selectAll().execute();
    const counts = new Map<string, number>();
    for (const { visitor } of clicks) {
      const name = Buffer.from(visitor).toString("hex");
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(many(40, () => 3));
    expect(billedOf(outcomes)).toBe(120);
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("bill exactly as many clicks as the day's cap is, of twenty times as many", async () => {
    const race = await newRace(4, { daily_click_cap: 100 });
    const visits = many(2000, (number) => visitOf(`r${number}`));
    await race.atOnce(
      visits.map((visit) => served(visit, [one])),
      100,
    );
    const outcomes = await race.atOnce(
      visits.map((visit) => hop(visit, one)),
      25,
    );
    expect(billedOf(outcomes)).toBe(100);
    expect(outcomes.filter(({ refusal }) => refusal === "budget_exhausted")).toHaveLength(1900);
    expect(await race.spend("one", morning)).toEqual({ spent_micros: 100_000, billed_clicks: 100 });
    expect(await race.lines()).toHaveLength(100);
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("spend an advertiser's balance to the last click over its offers, and no further", async () => {
    const race = await newRace(4, { micros: 150_000 });
    const offers = [one, two, three, four];
    const visits = many(800, (number) => visitOf(`r${number}`));
    await race.atOnce(
      visits.map((visit, at) => served(visit, [offers[at % 4] ?? one])),
      100,
    );
    const hops = visits.map((visit, at) => hop(visit, offers[at % 4] ?? one));
    // In another order, so that each writer clicks on all of them.
    const outcomes = await race.atOnce(
      hops.toSorted((a, b) => (a.visit.request < b.visit.request ? -1 : 1)),
      10,
    );
    expect(billedOf(outcomes)).toBe(150);
    expect(await race.spend("advertiser_1")).toEqual({ spent_micros: 150_000, billed_clicks: 150 });
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("bill one link once, that is followed 500 times", async () => {
    const race = await newRace(2);
    const visit = visitOf("r");
    await race.write(0, [served(visit, [one])]);
    const outcomes = await race.atOnce(
      many(500, () => hop(visit, one)),
      10,
    );
    expect(billedOf(outcomes)).toBe(1);
    expect(outcomes).toHaveLength(500);
    expect(await race.counters()).toMatchObject([{ clicks: 1, billable_clicks: 1, filtered: 499 }]);
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("note one beacon behind a click, and filter the others", async () => {
    const race = await newRace(4);
    const visits = many(60, (number) => visitOf(`r${number}`));
    await race.atOnce(
      visits.flatMap((visit) => [served(visit, [one])]),
      20,
    );
    await race.atOnce(
      visits.map((visit) => hop(visit, one)),
      20,
    );
    const outcomes = await race.atOnce(
      visits.flatMap((visit) => many(4, () => beacon(visit, one))),
      3,
    );
    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(60);
    expect(await race.counters()).toMatchObject([{ clicks: 60, filtered: 180 }]);
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("write one decision of a request, and one impression of what it was handed", async () => {
    const race = await newRace(4);
    const viewer = { visitor: hashOf("v"), network: null };
    const requests = many(30, (number) => visitOf(`r${number}`));
    await race.atOnce(
      requests.flatMap((visit) => many(4, () => blocked(visit))),
      7,
    );
    await race.atOnce(
      requests.map((visit) => served(visit, [cpm], { model: "CPM", micros: 50 })),
      7,
    );
    const outcomes = await race.atOnce(
      requests.flatMap((visit) => [
        ...many(2, () => impression(visit, cpm, [], viewer)),
        ...many(2, () => hop(visit, cpm)),
      ]),
      7,
    );
    // A visitor's views of an offer cost something five times in five minutes; those that a click implies are nobody's here.
    expect(outcomes.filter(({ refusal }) => refusal === null).length).toBeGreaterThanOrEqual(30);
    expect(await race.counters()).toMatchObject([
      { blocked: 0, impressions: 30, clicks: 30 },
      { blocked: 30, filtered: 90 },
    ]);
    expect(await race.differences()).toEqual([]);
  }, 60_000);

  test("execute one request of an idempotency key, and answer the others with what became of it", async () => {
    const race = await newRace(4);
    const event = (number: number): ServerEventEntry => ({
      kind: "server_event",
      type: "click",
      visit: visitOf(`r${number}`),
      offer: { offer: one, vertical: "games", payoutModel: "CPC", priceMicros: 1, currency: "EUR" },
      observed: [],
      viewer: null,
      standsAlone: true,
      idempotency: { scope: "s", key: `k${number % 10}`, fingerprint: "f", isTooOld: false },
      receivedAt: morning,
    });
    const outcomes = await race.atOnce(many(400, event), 10);
    expect(outcomes.filter(({ idempotency }) => idempotency === undefined)).toHaveLength(10);
    expect(new Set(outcomes.map(({ eventId }) => eventId)).size).toBe(10);
    expect(await race.counters()).toMatchObject([{ clicks: 10 }]);
  }, 60_000);

  test("make a session ready once, and count its visit once", async () => {
    const race = await newRace(4);
    const sessions = many(20, (number) => sessionOf(number));
    await race.write(
      0,
      sessions.map((session) => opening(session)),
    );
    const triggers = sessions.flatMap(({ sessionId }) => many(4, (at) => trigger(sessionId, morning + at)));
    const outcomes = await race.atOnce(triggers, 5);
    expect(outcomes.filter(({ eventId }) => eventId !== null)).toHaveLength(20);
    expect(await race.counters()).toMatchObject([{ blocked: 20, filtered: 0 }]);
    expect(await race.differences()).toEqual([]);
  }, 60_000);
});
