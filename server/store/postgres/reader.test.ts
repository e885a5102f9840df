import type { Kysely } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ReportFilter } from "../../core/report-filter.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
import { addAdvertiser, addOffer, morning } from "../conformance/journal-for-tests.ts";
import { opening, sessionOf } from "../conformance/sessions-for-tests.ts";
import type { Polled, Reader } from "../engine.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import type { Schema } from "../schema.ts";
import { startServer, type TestDatabase, type TestServer } from "./database-for-tests.ts";
import { isNewer, type Moment, momentColumn, valuesOf } from "./new-rows.ts";
import type { Pool } from "./pool.ts";
import { prepareSalts } from "./salts.ts";
import { startReader } from "./start-reader.ts";

let tests: TestServer;
beforeAll(async () => {
  tests = await startServer();
});
afterAll(() => tests.remove());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const today = dayNumber(morning);

const newDatabase = async (): Promise<TestDatabase> => {
  const database = await tests.newDatabase();
  closing.push(database.close);
  return database;
};

const openReader = (url: string) => {
  const events: object[] = [];
  const deaths: Error[] = [];
  const reader: Reader = startReader({
    address: { engine: "postgres", url, durability: "full", needsSyncStandby: false, spoolFile: "" },
    eventsKeptDays: null,
    log: (event) => events.push(event),
    onDeath: (error) => deaths.push(error),
  });
  closing.push(reader.close);
  const poll = async (at = morning): Promise<Polled> => {
    const polled = await reader.poll(at);
    if (polled === null) throw new Error(`nothing was read: ${JSON.stringify(events)}`);
    return polled;
  };
  return { ...reader, events, deaths, poll, reader: reader.poll };
};

/** A click on offer 1, as a writer leaves it. */
const charge = async (tx: Kysely<Schema>): Promise<void> => {
  for (const [subject, day] of [
    ["offer_1", 0],
    ["offer_1", today],
    ["advertiser_1", 0],
  ] as const) {
    await tx.insertInto("spend").values({ subject, day, spent_micros: 1000, billed_clicks: 1 }).execute();
  }
  await tx
    .insertInto("ledger_line")
    .values({
      at: morning,
      day: today,
      kind: "click",
      advertiser: 1,
      offer: 1,
      micros: -1000,
      currency: "EUR",
    })
    .execute();
};

const addOffers = async ({ db }: TestDatabase): Promise<void> => {
  await addAdvertiser(db, "advertiser_1", 1_000_000);
  const offer = { advertiser: "advertiser_1", payoutMicros: 1000 };
  await addOffer(db, { ...offer, id: "offer_1", daily_click_cap: 1 });
  await addOffer(db, { ...offer, id: "offer_2", pacing: "even", daily_click_cap: 10 });
};

describe("a poll", () => {
  test("brings everything the first time, and nothing where nothing has changed", async () => {
    const { url, db } = await newDatabase();
    await addAdvertiser(db, "advertiser_1", 500);
    await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
    await db
      .insertInto("dismissal")
      .values({ day: startOfDay(today), visitor: Buffer.alloc(16, 1) })
      .execute();
    await db
      .insertInto("rate_count")
      .values({ offer: 1, country: "DE", placement: 1, impressions: 5, clicks: 1, changed: 3 })
      .execute();
    const reader = openReader(url);
    const first = await reader.poll();
    expect(first.catalogue.flatMap(({ offers }) => offers.map(({ id }) => id))).toEqual(["offer_1"]);
    expect(first.salts?.map(({ day }) => day)).toEqual([today - 1, today, today + 1]);
    expect(first).toMatchObject({ exhausted: [1], paced: [], clockOffsetMs: expect.any(Number) });
    expect(first.dismissed).toEqual([
      { visitor: Buffer.alloc(16, 1).toString("base64url"), at: startOfDay(today) },
    ]);
    expect(first.rates?.counts).toMatchObject([
      { offer: 1, vertical: "games", country: "DE", impressions: 5 },
    ]);
    const again = await reader.poll(morning + 10_000);
    expect(again).toMatchObject({ catalogue: [], salts: null, exhausted: null, paced: null, dismissed: [] });
    expect(again.rates).toBeNull();
    expect(Math.abs(again.clockOffsetMs)).toBeLessThan(50);
  });

  test("finds what an offer has spent by the ledger's new lines, and opens it with a new day", async () => {
    const database = await newDatabase();
    await addOffers(database);
    const reader = openReader(database.url);
    expect(await reader.poll()).toMatchObject({ exhausted: [], paced: [{ offer: 2, spentShare: 0 }] });
    await charge(database.db);
    expect(await reader.poll()).toMatchObject({ exhausted: [1], paced: [{ offer: 2 }], catalogue: [] });
    expect((await reader.poll()).exhausted).toBeNull();
    expect((await reader.poll(morning + 86_400_000)).exhausted).toEqual([]);
  });

  test("sees a change of the catalogue, and caps with it", async () => {
    const database = await newDatabase();
    await addOffers(database);
    await charge(database.db);
    const reader = openReader(database.url);
    expect((await reader.poll()).exhausted).toEqual([1]);
    await database.db.transaction().execute(async (tx) => {
      await tx.updateTable("catalogue_version").set({ version: 2 }).execute();
      await tx.updateTable("offer").set({ daily_click_cap: 5, changed: 2 }).where("number", "=", 1).execute();
    });
    const polled = await reader.poll();
    expect(polled.exhausted).toEqual([]);
    expect(polled.catalogue.flatMap(({ offers }) => offers.map(({ id }) => id))).toEqual(["offer_1"]);
    expect(polled.catalogue.every(({ version }) => version === 2)).toBe(true);
  });

  test("reads everything anew from another server, which may lack the last changes of the one before", async () => {
    const database = await newDatabase();
    await addOffers(database);
    await charge(database.db);
    const reader = openReader(database.url);
    await reader.poll();
    expect(await reader.poll()).toMatchObject({ catalogue: [], exhausted: null });
    await tests.server.kill();
    await tests.server.start();
    // The first one finds its connection cut, and the next one makes another.
    const polled = (await reader.reader(morning)) ?? (await reader.poll());
    expect(polled.exhausted).toEqual([1]);
    expect(polled.catalogue.flatMap(({ offers }) => offers.map(({ id }) => id))).toEqual([
      "offer_1",
      "offer_2",
    ]);
    expect(polled.catalogue[0]?.beginsAnew).toBe(true);
  });

  test("misses nothing of a transaction that began before it and is committed after it", async () => {
    const database = await newDatabase();
    await addOffers(database);
    const reader = openReader(database.url);
    await reader.poll();
    const late = await database.client();
    const visitor = (number: number) => Buffer.alloc(16, number);
    const dismiss = "insert into dismissal (day, visitor) values ($1, $2)";
    const count = "insert into rate_count values (1, $1, 1, 5, 1, pg_current_xact_id()::text::bigint)";
    await late.query("begin");
    await late.query(dismiss, [startOfDay(today), visitor(1)]);
    await late.query(count, ["AT"]);
    await late.query(
      `insert into ledger_line (at, day, kind, advertiser, offer, micros, currency)
       values ($1, $2, 'click', 1, 1, -1000, 'EUR')`,
      [morning, today],
    );
    await late.query("insert into spend values ('offer_1', $1, 1000, 1), ('offer_1', 0, 1000, 1)", [today]);
    // Its number is higher, and it is committed first.
    await database.ask(dismiss, [startOfDay(today), visitor(2)]);
    await database.ask(count, ["DE"]);
    const versions: number[] = [];
    const seen = async (at: number) => {
      const { dismissed, exhausted, rates } = await reader.poll(at);
      if (rates !== null) versions.push(rates.version);
      return {
        dismissed: dismissed.map(({ visitor }) => visitor),
        exhausted,
        rates: rates?.counts.map(({ country }) => country),
      };
    };
    const [one, two] = [1, 2].map((number) => visitor(number).toString("base64url"));
    expect(await seen(morning + 10_000)).toEqual({ dismissed: [two], exhausted: null, rates: ["DE"] });
    expect(await seen(morning + 20_000)).toEqual({ dismissed: [], exhausted: null, rates: undefined });
    await database.ask(count, ["FR"]);
    expect(await seen(morning + 25_000)).toEqual({ dismissed: [], exhausted: null, rates: ["FR"] });
    await late.query("commit");
    // More than five seconds, by which the server's clock may be measured some milliseconds apart.
    expect(await seen(morning + 31_000)).toEqual({ dismissed: [one], exhausted: [1], rates: ["AT"] });
    expect(await seen(morning + 40_000)).toEqual({ dismissed: [], exhausted: null, rates: undefined });
    // What was ranked by an older one is ranked anew.
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  test("passes over no row again while somebody leaves a transaction open, and finds what is new", async () => {
    const database = await newDatabase();
    const lazy = await database.client();
    await lazy.query("begin");
    await lazy.query("select pg_current_xact_id()");
    const dismiss = (from: number, to: number) =>
      database.ask(
        `insert into dismissal (day, visitor)
         select $1, decode(lpad(to_hex(n), 32, '0'), 'hex') from generate_series($2::integer, $3::integer) n`,
        [startOfDay(today), from, to],
      );
    await dismiss(1, 10_000);
    // As many as would be passed over each time, and as a server that was restored has them: all of one transaction.
    await database.ask("analyze dismissal");
    const [{ snapshot } = { snapshot: "" }] = await database.ask<{ snapshot: Moment }>(
      `select ${momentColumn}`,
    );
    await dismiss(10_001, 10_002);
    const finding = `select number from dismissal where ${isNewer("xid", 1)}`;
    const found = (asking: string) => database.ask<object>(asking, valuesOf(snapshot));
    expect(await found(`${finding} order by number`)).toEqual([{ number: 10_001 }, { number: 10_002 }]);
    const plan = JSON.stringify(await found(`explain (analyze, costs off, timing off) ${finding}`));
    expect(plan).toContain("dismissal_xid");
    expect(plan).not.toContain("Rows Removed");
    await lazy.query("rollback");
  });

  test("tells rows once that were restored from a server which had come further, and then what is new", async () => {
    const database = await newDatabase();
    await addOffers(database);
    await charge(database.db);
    const beyond = "9000000000000";
    await database.ask(`update ledger_line set xid = ${beyond}`);
    await database.ask(`insert into dismissal (day, visitor, xid) values ($1, $2, ${beyond})`, [
      startOfDay(today),
      Buffer.alloc(16, 1),
    ]);
    await database.ask(`insert into rate_count values (1, 'DE', 1, 5, 1, ${beyond})`);
    await database.ask(`insert into website_rate values (1, 'overlay', 5, 4000000, ${beyond})`);
    const reader = openReader(database.url);
    const first = await reader.poll();
    expect([first.exhausted, first.dismissed.length, first.rates?.counts.length]).toEqual([[1], 1, 1]);
    expect(first.rates?.websites).toEqual([{ websiteId: 1, surface: "overlay", clicks: 5, expected: 4 }]);
    const again = await reader.poll(morning + 10_000);
    expect(again).toMatchObject({ exhausted: null, dismissed: [], rates: null });
    await database.ask("insert into dismissal (day, visitor) values ($1, $2)", [
      startOfDay(today),
      Buffer.alloc(16, 2),
    ]);
    expect((await reader.poll(morning + 20_000)).dismissed).toHaveLength(1);
    const [{ beyond: left } = { beyond: -1 }] = await database.ask<{ beyond: number }>(
      `select (select count(*) from ledger_line where xid >= ${beyond})
         + (select count(*) from dismissal where xid >= ${beyond})
         + (select count(*) from rate_count where changed >= ${beyond})
         + (select count(*) from website_rate where changed >= ${beyond}) as beyond`,
    );
    expect(left).toBe(0);
  });
});

/** The same pool; of each statement, with its values, is heard before it is asked. */
const hearing = (
  pool: Pool,
  hear: (statement: string, values: readonly unknown[]) => Promise<void>,
): Pool => ({
  ...pool,
  connect: async () => {
    const { query, copy, release } = await pool.connect();
    const asking = async (statement: string, values: readonly unknown[]) => {
      await hear(statement, values);
      return query(statement, values);
    };
    return {
      query: asking as typeof query,
      copy: async (rows) => {
        await hear(rows.copy, []);
        await copy(rows);
      },
      release,
    };
  },
});

describe("salts", () => {
  const saltsOf = async (reader: ReturnType<typeof openReader>, at = morning) =>
    (await reader.poll(at)).salts;

  test("are the same for nodes that start at once, and one for each day", async () => {
    const { url, ask } = await newDatabase();
    const readers = [openReader(url), openReader(url), openReader(url)];
    const [one, ...others] = await Promise.all(readers.map((reader) => saltsOf(reader)));
    expect(one?.map(({ day }) => day)).toEqual([today - 1, today, today + 1]);
    for (const other of others) expect(other).toEqual(one);
    expect(await ask("select day, salt from visitor_salt order by day")).toEqual(one);
  });

  test("are made for the day after and destroyed after two days, with the file that they stood in", async () => {
    const { url, ask } = await newDatabase();
    const reader = openReader(url);
    const before = await saltsOf(reader);
    const fileOf = () => ask("select pg_relation_filepath('visitor_salt') as file");
    const file = await fileOf();
    const after = await saltsOf(reader, morning + 86_400_000);
    expect(after?.map(({ day }) => day)).toEqual([today, today + 1, today + 2]);
    expect(after?.slice(0, 2)).toEqual(before?.slice(1));
    expect(await ask("select day, salt from visitor_salt order by day")).toEqual(after);
    expect(await fileOf()).not.toEqual(file);
  });

  test("that are old are used no more while somebody reads the table, and destroyed a minute later at the soonest", async () => {
    const database = await newDatabase();
    await addOffers(database);
    await charge(database.db);
    const reader = openReader(database.url);
    expect(await reader.poll()).toMatchObject({ exhausted: [1] });
    const stored = async () =>
      (await database.ask<{ day: number }>("select day from visitor_salt order by day")).map(
        ({ day }) => day,
      );
    // As a `pg_dump` does until it has ended.
    const dump = await database.client();
    await dump.query("begin; lock table visitor_salt in access share mode");
    const nextDay = morning + 86_400_000;
    const polled = await reader.poll(nextDay);
    expect(polled.exhausted).toEqual([]);
    expect(reader.events).toEqual([{ event: "housekeeping_waits", code: "55P03" }]);
    expect(polled.salts?.map(({ day }) => day)).toEqual([today, today + 1, today + 2]);
    await dump.query("rollback");
    await reader.poll(nextDay + 30_000);
    expect(await stored()).toEqual([today - 1, today, today + 1, today + 2]);
    await reader.poll(nextDay + 61_000);
    expect(await stored()).toEqual([today, today + 1, today + 2]);
  });

  test("come back after a crash from whoever knows them, and a node that starts meanwhile waits for that", async () => {
    const { url, ask } = await newDatabase();
    const knowing = openReader(url);
    const before = await saltsOf(knowing);
    await ask("insert into node values ('another', 1, 0, extract(epoch from clock_timestamp()) * 1000)");
    await tests.server.kill();
    await tests.server.start();
    expect(
      await ask("select day from visitor_salt").catch(() => ask("select day from visitor_salt")),
    ).toEqual([]);
    const starting = openReader(url);
    const found = saltsOf(starting);
    // The knowing one was cut off once and tries again, as a store does.
    const again = (await knowing.reader(morning)) ?? (await knowing.reader(morning));
    expect(again).not.toBeNull();
    expect(await found).toEqual(before);
    expect(await ask("select day, salt from visitor_salt order by day")).toEqual(before);
  });

  test.each([
    ["all of them", 0],
    ["some of them", 86_400_000],
  ])(
    "are those of whoever was quicker by the time it takes to make them, who has made %s",
    async (_, ahead) => {
      const { pool, ask } = await newDatabase();
      const quicker = prepareSalts(pool, () => undefined);
      let theirs: readonly object[] | null = null;
      const slower = hearing(pool, async (statement) => {
        if (theirs !== null || !statement.startsWith("copy visitor_salt")) return;
        theirs = [];
        theirs = await quicker.keep([], morning + ahead);
      });
      const kept = await prepareSalts(slower, () => undefined).keep([], morning);
      expect(theirs).toHaveLength(3);
      expect(kept.map(({ day }) => day)).toEqual(expect.arrayContaining([today - 1, today, today + 1]));
      expect(kept).toEqual(expect.arrayContaining([...(theirs ?? [])]));
      expect(await ask("select day, salt from visitor_salt order by day")).toEqual(kept);
    },
  );

  test("are no value of a statement, which the server may log: not when they are made, nor written back, nor left", async () => {
    const { pool, ask } = await newDatabase();
    const asked: string[] = [];
    const hear = async (...statement: unknown[]) => void asked.push(JSON.stringify(statement));
    const { keep } = prepareSalts(hearing(pool, hear), () => undefined);
    const made = await keep([], morning);
    await ask("truncate visitor_salt");
    expect(await keep([], morning)).toEqual(made);
    const left = await keep(made, morning + 86_400_000);
    expect(left.slice(0, 2)).toEqual(made.slice(1));
    for (const { salt } of [...made, ...left]) {
      expect(salt).toHaveLength(43);
      expect(asked.filter((statement) => statement.includes(salt))).toEqual([]);
    }
    expect(asked.filter((statement) => statement.includes("copy visitor_salt"))).toHaveLength(4);
  });

  test("of an empty table are others' to write back, for a while, where there are others", async () => {
    const { pool, ask } = await newDatabase();
    const knowing = prepareSalts(pool, () => undefined);
    const before = await knowing.keep([], morning);
    await ask("truncate visitor_salt");
    await ask("insert into node values ('another', 1, 0, extract(epoch from clock_timestamp()) * 1000)");
    const asked: string[] = [];
    const starting = prepareSalts(
      hearing(pool, async (statement) => void asked.push(statement)),
      () => undefined,
    );
    const found = starting.keep([], morning);
    // It has looked twice, and made none.
    await expect
      .poll(() => asked.filter((statement) => statement.startsWith("select day")).length)
      .toBeGreaterThan(1);
    expect(await ask("select day from visitor_salt")).toEqual([]);
    expect(await knowing.keep([], morning)).toEqual(before);
    expect(await found).toEqual(before);
  });

  test("are made anew after a crash where nobody knows them any more", async () => {
    const { url } = await newDatabase();
    const before = await saltsOf(openReader(url));
    await tests.server.kill();
    await tests.server.start();
    const after = await saltsOf(openReader(url));
    expect(after?.map(({ day }) => day)).toEqual(before?.map(({ day }) => day));
    expect(after).not.toEqual(before);
  });
});

describe("single rows", () => {
  test("a session is found by its id, as it stands", async () => {
    const { url, db } = await newDatabase();
    const reader = openReader(url);
    await reader.poll();
    const session = sessionOf(1);
    expect(await reader.findSession(session.sessionId)).toBeNull();
    const { opener } = opening(session);
    await db
      .insertInto("decline_session")
      .values({
        id: session.sessionId,
        website_id: session.websiteId,
        origin: session.origin,
        request: bytesOf(session.request),
        country: session.country,
        region: session.region,
        test: 0,
        visitor: session.visitor,
        opener: bytesOf(opener),
        created_at: session.openedAt,
        expires_at: session.expiresAt,
        device: 0,
      } as never)
      .execute();
    expect(await reader.findSession(session.sessionId)).toEqual(session);
    await db
      .updateTable("decline_session")
      .set({ ready_at: morning, suppression_json: '{"vulnerable":true,"names":[3]}' })
      .execute();
    expect(await reader.findSession(session.sessionId)).toEqual({
      ...session,
      readyAt: morning,
      suppression: { vulnerable: true, names: [3] },
    });
  });

  test("an access token is found by its hash while its connection lives", async () => {
    const { url, ask } = await newDatabase();
    const reader = openReader(url);
    await reader.poll();
    await ask("insert into oauth_grant values ('g', 'c', 1, 'pub', '[]', 1, null, null, 1)");
    await ask(
      `insert into oauth_row values ('AccessToken', 'hash', '{"scope":"reports:read"}', 'g', 99, null),
         ('RefreshToken', 'other', '{}', 'g', 99, null)`,
    );
    expect(await reader.findAccessToken("hash")).toEqual({
      grantId: "g",
      clientId: "c",
      publisherId: "pub",
      scopes: expect.any(Array),
      expiresAt: 99,
    });
    expect(await reader.findAccessToken("other")).toBeNull();
    await ask("update oauth_grant set revoked_at = 2");
    expect(await reader.findAccessToken("hash")).toBeNull();
    expect(await reader.hasUsers()).toBe(false);
  });

  test("are refused while the server is away, in words that a caller is answered 503 by, and found again after", async () => {
    const { url } = await newDatabase();
    const reader = openReader(url);
    await reader.poll();
    await tests.server.kill();
    expect(await reader.reader(morning)).toBeNull();
    await expect(reader.findSession("s")).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(reader.report(reportOfNothing, "json")).resolves.not.toBeNull();
    await tests.server.start();
    expect(await reader.findSession("s")).toBeNull();
    expect(await reader.reader(morning)).not.toBeNull();
    expect(reader.deaths).toEqual([]);
  });
});

const reportOfNothing = {
  websites: [],
  from: "2026-11-01",
  to: "2026-11-30",
  test: false,
  eventTypes: [],
  groupBy: ["date"],
} satisfies ReportFilter;
