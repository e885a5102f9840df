import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { unpackLines } from "../../core/detail-lines.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { leastKeptDays } from "../../core/kept-events.ts";
import type { LogLine } from "../../core/log-events.ts";
import { createRecent } from "../../core/recent.ts";
import { requestKeyOf } from "../../core/request-key.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import { audit } from "../books/audit.ts";
import { makePublishers } from "../books/counters-for-tests.ts";
import { recount } from "../books/recount.ts";
import { readCounted } from "../conformance/counted-rows.ts";
import { blocked, hop, impression, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { prepareErasing as prepareErasingSqlite } from "../sqlite/erase.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { preparePurgeFactsOnce } from "../sqlite/purge-facts.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { startCuttingProxy } from "./cutting-proxy-for-tests.ts";
import { startServer, type TestDatabase, type TestServer } from "./database-for-tests.ts";
import { rememberWebsites, settleDetail } from "./detail.ts";
import { prepareErasing } from "./erase.ts";
import { prepareKeeping, startHousekeeping } from "./keep-house.ts";
import { dropOldPartitions, partitionDays, preparePartitions, preparePast } from "./partitions.ts";
import { openWriter } from "./postgres-for-tests.ts";
import { purgeFacts, purgePassing } from "./purge.ts";

let tests: TestServer;
beforeAll(async () => {
  tests = await startServer();
});
afterAll(() => tests.remove());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const dayMs = 86_400_000;
const today = dayNumber(morning);

const newDatabase = async () => {
  const database = await tests.newDatabase();
  closing.push(database.close);
  const writer = await openWriter(database.url);
  closing.push(writer.close);
  return {
    ...database,
    write: async (entries: readonly JournalEntry[]) => void (await writer.write(entries, 0)),
    count: async (table: string) =>
      (await database.ask<{ rows: number }>(`select count(*) as rows from ${table}`))[0]?.rows ?? 0,
    expectTrueBooks: async () => {
      expect((await recount(database.db)).differences).toEqual([]);
      expect((await audit(database.db)).differences).toEqual([]);
    },
  };
};

/** The same visits with keys of real requests, which were made within the three days before those events. */
const spreadOut = (entries: readonly JournalEntry[], random: () => number): JournalEntry[] => {
  const keys = new Map<string, string>();
  return entries.map((entry) => {
    if (!("visit" in entry)) return entry;
    const { request } = entry.visit;
    const key =
      keys.get(request) ??
      requestKeyOf(
        morning - Math.floor(random() * 3 * dayMs),
        Buffer.from(request.slice(0, 7).padEnd(7, "_")),
      );
    keys.set(request, key);
    return { ...entry, visit: { ...entry.visit, request: key } } as JournalEntry;
  });
};

const visitAt = (at: number, number = 0) =>
  visitOf(`v${number}`, { request: requestKeyOf(at, Buffer.alloc(7, number)), at });

describe("what is purged or erased", () => {
  type Rows = (query: string) => Promise<Record<string, unknown>[]>;

  /** What is kept of facts, and what is left of them, with cells in words: each engine numbers them by itself. */
  const keptOf = async (rows: Rows) => {
    const cells = new Map(
      (await rows("select * from cell")).map(({ id, ...cell }) => [id, Object.values(cell).join(" ")]),
    );
    const bills = await rows("select * from closed_bill");
    const hours = await rows("select * from closed_detail");
    const linesOf = (lines: unknown) =>
      [...unpackLines(lines as Uint8Array)].map(({ cell, ...line }) =>
        JSON.stringify([cells.get(cell), line]),
      );
    return {
      bills: bills.map(({ cell, ...bill }) => JSON.stringify([cells.get(cell), bill])).sort(),
      hours: hours
        .map(({ website_id, hour, lines }) => JSON.stringify([website_id, hour, linesOf(lines).sort()]))
        .sort(),
      facts: (await rows("select request, offer, type, seq from fact order by 1, 2, 3, 4")).map((fact) => ({
        ...fact,
        request: Buffer.from(fact.request as Uint8Array).toString("hex"),
      })),
      lines: (
        await rows(
          "select at, offer, kind, request, micros from ledger_line order by at, offer, kind, micros",
        )
      )
        .map((line) => JSON.stringify({ ...line, request: line.request === null }))
        .sort(),
    };
  };

  test.each([1, 2, 3])("leaves on both engines the same, and true books: run %i", async (seed) => {
    const [file, database] = [await newCatalogueFile(tmpdir()), await newDatabase()];
    closing.push(file.close);
    for (const { db } of [file, database]) {
      await makePublishers(db, [2, 1]);
      await addRandomOffers(db, { offer_cpc: { daily_click_cap: 60 } });
    }
    const random = seededRandom(seed);
    const entries = spreadOut(randomEntries(random, 150), random);
    const writer = prepareBatchWriter(file.sqlite);
    for (let at = 0; at < entries.length; at += 200) {
      writer.write(entries.slice(at, at + 200), 0);
      await database.write(entries.slice(at, at + 200));
    }
    const client = await database.client();
    const sqliteRows: Rows = async (query) => file.sqlite.prepare(query).all() as Record<string, unknown>[];
    const expectSame = async () => {
      const [here, there] = [await keptOf(database.ask), await keptOf(sqliteRows)];
      expect(here).toEqual(there);
      await database.expectTrueBooks();
      return here;
    };
    const counted = await readCounted(database.db);
    await expectSame();
    // Half of the requests' days have gone.
    const now = morning + (leastKeptDays - 1.5) * dayMs;
    const purge = preparePurgeFactsOnce(file.sqlite, leastKeptDays);
    while (purge(now, 0));
    while (await purgeFacts(client, now, leastKeptDays, new Map()));
    const half = await expectSame();
    expect(half.facts.length).toBeGreaterThan(100);
    expect(half.bills.length).toBeGreaterThan(5);
    const erased = await prepareErasing(database.url, 2000).website(2);
    expect(erased).toEqual(await prepareErasingSqlite(file.sqlite, 0).website(2));
    expect(erased.events).toBeGreaterThan(20);
    const rest = await expectSame();
    const [first] = rest.facts;
    const key = Buffer.from(first?.request ?? "", "hex").toString("base64url");
    expect(await prepareErasing(database.url, 2000).request(key)).toEqual(
      await prepareErasingSqlite(file.sqlite, 0).request(key),
    );
    await expectSame();
    while (await purgeFacts(client, now + 10 * dayMs, leastKeptDays, new Map()));
    await database.expectTrueBooks();
    expect(await database.count("fact")).toBe(0);
    expect(await database.count("ledger_line where request is not null")).toBe(0);
    expect(await readCounted(database.db)).toEqual(counted);
  });

  test("is nothing of a request younger than what is kept, to the millisecond, and nothing at all for ever", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.write([blocked(visitAt(morning)), blocked(visitAt(morning + 1, 1))]);
    const due = morning + leastKeptDays * dayMs;
    await purgeFacts(client, due, leastKeptDays, new Map());
    expect(await database.count("fact")).toBe(2);
    await purgeFacts(client, due + 1, leastKeptDays, new Map());
    expect(await database.count("fact")).toBe(1);
    await purgeFacts(client, due * 2, null, new Map());
    expect(await database.count("fact")).toBe(1);
  });
});

describe("rows that pass", () => {
  test("go when they have had their time, some at a time", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.ask(
      `insert into billed_click select decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, $1 from generate_series(1, 6000) n`,
      [morning],
    );
    await database.ask("insert into billed_click values ('\\x01', 1, $1)", [morning + 1]);
    const due = morning + 48 * 3_600_000;
    expect(await purgePassing(client, due - 1, null)).toBe(false);
    expect(await database.count("billed_click")).toBe(6001);
    expect(await purgePassing(client, due, null)).toBe(true);
    expect(await purgePassing(client, due, null)).toBe(false);
    expect(await database.count("billed_click")).toBe(1);
  });

  test("take what a check of a page has found, once it is told no more", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.ask("insert into page_check values ('ws_1', 'https://a.example/', '[]', $1)", [morning]);
    await purgePassing(client, morning + 3_600_000 - 1, null);
    expect(await database.count("page_check")).toBe(1);
    await purgePassing(client, morning + 3_600_000, null);
    expect(await database.count("page_check")).toBe(0);
  });

  test("leave as many places for sessions as they had", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.ask(
      `insert into decline_session (id, website_id, origin, request, country, region, test, created_at, expires_at)
       select n::text, 1 + n % 2, '', '\\x', '', '', 0, 0, $1 from generate_series(1, 10) n`,
      [morning],
    );
    expect(await purgePassing(client, morning + 3_600_000, null)).toBe(false);
    expect(await database.count("decline_session")).toBe(0);
    expect(await database.ask("select sessions from decline_kept")).toEqual([
      { sessions: 0 },
      { sessions: 0 },
      { sessions: 0 },
    ]);
  });

  test("go also where one of another kind is in somebody's way, and that is told once the others have gone", async () => {
    const database = await newDatabase();
    const [client, other] = [await database.client(), await database.client()];
    await database.ask(
      `insert into decline_session (id, website_id, origin, request, country, region, test, created_at, expires_at)
       values ('s', 1, '', '\\x', '', '', 0, 0, $1)`,
      [morning],
    );
    await database.ask(
      `insert into billed_click select decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, $1 from generate_series(1, 6000) n`,
      [morning],
    );
    await other.query("begin");
    await other.query("select 1 from decline_session for update");
    await client.query("set lock_timeout = 300");
    const due = morning + 48 * 3_600_000;
    expect(await purgePassing(client, due, null)).toBe(true);
    await expect(purgePassing(client, due, null)).rejects.toMatchObject({ code: "55P03" });
    expect(await database.count("billed_click")).toBe(0);
    expect(await database.count("decline_session")).toBe(1);
    await other.query("rollback");
    expect(await purgePassing(client, due, null)).toBe(false);
    expect(await database.count("decline_session")).toBe(0);
  });

  test("are pings with the events, and never where events stay for ever", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.ask("insert into snippet_ping values (1, 'a.example', '1', $1, 'overlay', '', 0)", [
      morning,
    ]);
    await purgePassing(client, morning + 8000 * dayMs, null);
    await purgePassing(client, morning + 8 * dayMs - 1, 8);
    expect(await database.count("snippet_ping")).toBe(1);
    await purgePassing(client, morning + 8 * dayMs, 8);
    expect(await database.count("snippet_ping")).toBe(0);
  });
});

describe("partitions of facts", () => {
  const partitionOf = async (database: TestDatabase, at: number) =>
    (
      await database.ask<{ name: string }>(
        "select tableoid::regclass::text as name from fact where request = $1",
        [bytesOf(requestKeyOf(at, Buffer.alloc(7)))],
      )
    ).map(({ name }) => name);

  test("are there from yesterday to three days ahead, and a fact of today lies in its own", async () => {
    const database = await newDatabase();
    const client = await database.client();
    expect(await preparePartitions(client, morning)).toEqual([]);
    const days = [-1, 0, 1, 2, 3].map((ahead) => today + ahead);
    expect(await partitionDays(client)).toEqual(days);
    expect(await preparePartitions(client, morning)).toEqual([]);
    const times = [startOfDay(today), startOfDay(today + 1) - 1, startOfDay(today + 1)];
    await database.write(times.map((at) => blocked(visitAt(at))));
    const found = await Promise.all(times.map((at) => partitionOf(database, at)));
    expect(found).toEqual([[`fact_d${today}`], [`fact_d${today}`], [`fact_d${today + 1}`]]);
    expect(await database.count("fact_rest")).toBe(0);
  });

  test("are made late as well: what has gone to the rest meanwhile is moved, and events after it find it there", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await makePublishers(database.db, [1]);
    await addRandomOffers(database.db, {});
    const [visit, past] = [visitAt(morning), visitAt(morning - 20 * dayMs)];
    await database.write([served(visit, [1]), blocked(past)]);
    expect(await partitionOf(database, morning)).toEqual(["fact_rest"]);
    await preparePartitions(client, morning);
    expect(await partitionOf(database, morning)).toEqual([`fact_d${today}`]);
    expect(await partitionOf(database, morning - 20 * dayMs)).toEqual([`fact_d${today - 20}`]);
    expect(await database.count("fact_rest")).toBe(0);
    await database.write([impression(visit, 1), hop(visit, 1), served(visit, [1])]);
    expect(await partitionOf(database, morning)).toEqual(Array(4).fill(`fact_d${today}`));
    await database.expectTrueBooks();
  });

  test("are not made where too much would have to be moved, and that is told", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.ask(
      `insert into fact (request, offer, type, seq, cell, at)
       select $1, 0, 1, n, 1, 1 from generate_series(1, 100001) n`,
      [bytesOf(requestKeyOf(morning, Buffer.alloc(7)))],
    );
    expect(await preparePartitions(client, morning)).toEqual([{ day: today, facts: 100_001 }]);
    expect(await partitionDays(client)).not.toContain(today);
    expect(await database.count("fact_rest")).toBe(100_001);
  });

  test("of a past that is about to come are there, and what is older has one of its own, apart from the rest", async () => {
    const database = await newDatabase();
    const client = await database.client();
    const [first, oldest] = [today - 1000, today - 400];
    await preparePast(client, first, morning);
    await preparePast(client, first, morning + dayMs);
    expect(await partitionDays(client)).toEqual(Array.from({ length: 405 }, (_, index) => oldest + index));
    const times = [startOfDay(first), startOfDay(oldest) - 1, startOfDay(oldest)];
    await database.write(times.map((at) => blocked(visitAt(at))));
    const found = await Promise.all(times.map((at) => partitionOf(database, at)));
    expect(found).toEqual([["fact_before"], ["fact_before"], [`fact_d${oldest}`]]);
    expect(await database.count("fact_rest")).toBe(0);
    await database.expectTrueBooks();
  });

  test.each([
    ["on which the past begins", 0, ["fact_d"]],
    ["behind which more of the past lies", -1, ["fact_before", "fact_d"]],
  ])(
    "of a past are made by an attempt that goes on after midnight, from a day %s",
    async (_, before, names) => {
      const database = await newDatabase();
      const client = await database.client();
      const oldest = today - 400;
      // What an attempt of the day before has made when it ends early.
      await preparePast(client, oldest, morning);
      await preparePast(client, oldest + before, morning + dayMs);
      await database.write([oldest + before, oldest].map((day) => blocked(visitAt(startOfDay(day)))));
      const found = await Promise.all(
        [oldest + before, oldest].map((day) => partitionOf(database, startOfDay(day))),
      );
      expect(new Set(found.flat().map((name) => name.replace(/\d+/, "")))).toEqual(new Set(names));
      expect(await database.count("fact_rest")).toBe(0);
    },
  );

  test("are dropped when their facts have gone, not before, and never where events stay for ever", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await preparePartitions(client, morning);
    await database.write([blocked(visitAt(morning))]);
    const later = morning + (leastKeptDays + 2) * dayMs;
    await dropOldPartitions(client, later, null);
    expect(await partitionDays(client)).toHaveLength(5);
    await dropOldPartitions(client, later, leastKeptDays);
    expect(await partitionDays(client)).toEqual([today, today + 2, today + 3]);
    expect(await purgeFacts(client, later, leastKeptDays, new Map())).toBe(false);
    await dropOldPartitions(client, later, leastKeptDays);
    expect(await partitionDays(client)).toEqual([today + 2, today + 3]);
    await database.expectTrueBooks();
  });
});

test("a partition in which something was written a moment ago stays, late as that is", async () => {
  const database = await newDatabase();
  const client = await database.client();
  await preparePartitions(client, morning);
  const day = today - 1;
  const query = async (statement: string, values?: unknown[]) => {
    const answer = await client.query(statement, values);
    if (statement === `select 1 from fact_d${day} limit 1` && answer.rows.length === 0) {
      await database.write([blocked(visitAt(startOfDay(day)))]);
    }
    return answer;
  };
  await dropOldPartitions({ query } as never, morning + leastKeptDays * dayMs, leastKeptDays);
  expect(await partitionDays(client)).toContain(day);
  expect(await database.count("fact")).toBe(1);
});

describe("lines that wait", () => {
  test("are settled 5,000 at a time, and whoever reads both finds each of them once", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await makePublishers(database.db, [1]);
    await addRandomOffers(database.db, {});
    for (let batch = 0; batch < 12; batch += 1) {
      const visits = Array.from({ length: 300 }, (_, number) =>
        visitOf(`b${batch}v${number}`, { region: `R${number}`, at: morning + batch * 3_600_000 }),
      );
      await database.write(visits.flatMap((visit) => [served(visit, [1, 2])]));
    }
    expect(await database.count("detail_delta")).toBe(12);
    const websites = rememberWebsites();
    expect(await settleDetail(client, websites)).toBe(true);
    const left = await database.count("detail_delta");
    expect([left > 0, left < 12]).toEqual([true, true]);
    await database.expectTrueBooks();
    while (await settleDetail(client, websites));
    expect(await database.count("detail_delta")).toBe(0);
    expect(await database.count("detail")).toBe(12);
    await database.expectTrueBooks();
  });

  test("leave no row where they add up to nothing", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await database.write([blocked(visitOf("v"))]);
    await database.ask("insert into detail_delta (hour, lines) select hour, $1 from detail_delta", [
      Buffer.from([1]),
    ]);
    while (await settleDetail(client, rememberWebsites()));
    expect(await database.count("detail")).toBe(1);
    const [row] = await database.ask<{ lines: Uint8Array }>("select lines from detail");
    expect([...unpackLines(row?.lines ?? new Uint8Array())]).toHaveLength(1);
  });

  test("are settled whichever of their cells are remembered, of which there are never more than some", async () => {
    const database = await newDatabase();
    const client = await database.client();
    await makePublishers(database.db, [3]);
    const visitAll = (round: number) =>
      database.write([1, 2, 3].map((websiteId) => blocked(visitOf(`r${round}w${websiteId}`, { websiteId }))));
    const websites = rememberWebsites();
    await visitAll(1);
    while (await settleDetail(client, websites));
    const cells = await database.ask<{ id: number; website_id: number }>("select id, website_id from cell");
    const remembered = () => cells.map(({ id }) => websites.get(id));
    expect(remembered()).toEqual(cells.map(({ website_id }) => website_id));
    for (let other = 1; other <= 100_000; other += 1) websites.set(-other, 1);
    expect(remembered()).toEqual([undefined, undefined, undefined]);
    await visitAll(2);
    while (await settleDetail(client, websites));
    await visitAll(3);
    // Each of the three pushes out the one before it.
    while (await settleDetail(client, createRecent(1)));
    expect(await database.count("detail")).toBe(3);
    await database.expectTrueBooks();
  });
});

describe("of several nodes", () => {
  const openHouse = (url: string) => {
    const events: object[] = [];
    const house = startHousekeeping({
      url,
      eventsKeptDays: leastKeptDays,
      log: (event) => events.push(event),
    });
    closing.push(house.stop);
    return { ...house, events };
  };
  const keepers = (database: TestDatabase) =>
    database.ask("select pid from pg_locks where locktype = 'advisory' and granted and objid = $1", [
      advisoryLocks.keepingHouse % 2 ** 32,
    ]);

  test("one keeps house, and another one when that has gone", async () => {
    const database = await newDatabase();
    const [one, two] = [openHouse(database.url), openHouse(database.url)];
    one.look(morning);
    await expect.poll(() => keepers(database)).toHaveLength(1);
    const client = await database.client();
    await expect.poll(() => partitionDays(client)).toHaveLength(5);
    const [keeper] = await keepers(database);
    two.look(morning + dayMs);
    await two.stop();
    expect(await keepers(database)).toEqual([keeper]);
    expect(await partitionDays(client)).toHaveLength(5);
    await one.stop();
    await expect.poll(() => keepers(database)).toEqual([]);
    const three = openHouse(database.url);
    three.look(morning + dayMs);
    await expect.poll(() => partitionDays(client)).toHaveLength(6);
    expect([...one.events, ...two.events, ...three.events]).toEqual([]);
  });

  test("one that does not asks every five seconds whether it should, however often it looks", async () => {
    const database = await newDatabase();
    openHouse(database.url).look(morning);
    await expect.poll(() => keepers(database)).toHaveLength(1);
    const address = new URL(database.url);
    const proxy = await startCuttingProxy(Number(address.port));
    closing.push(proxy.close);
    address.port = String(proxy.port);
    const other = openHouse(address.href);
    for (let look = 0; look < 20; look++) {
      other.look(morning);
      await pause(25);
    }
    expect(proxy.connections()).toBe(1);
  });

  test("a purge that a clock ahead has begun ends as it is set back", async () => {
    const database = await newDatabase();
    const facts = 8000;
    for (let from = 0; from < facts; from += 500) {
      await database.write(Array.from({ length: 500 }, (_, at) => blocked(visitAt(morning + from + at))));
    }
    const client = await database.client();
    const house = openHouse(database.url);
    house.look(morning + 365 * dayMs);
    await expect.poll(() => database.count("fact"), { interval: 5, timeout: 20_000 }).toBeLessThan(facts);
    // By the right time it makes the partitions of the days ahead.
    await expect
      .poll(
        () => {
          house.look(morning);
          return partitionDays(client);
        },
        { timeout: 20_000 },
      )
      .toContain(today + 3);
    expect(await database.count("fact")).toBeGreaterThan(0);
    expect(house.events).toEqual([]);
  }, 60_000);

  test("one whose connection is cut keeps house again over another", async () => {
    const database = await newDatabase();
    const house = openHouse(database.url);
    house.look(morning);
    const client = await database.client();
    await expect.poll(() => partitionDays(client)).toHaveLength(5);
    await database.ask("select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", [
      "offers housekeeping",
    ]);
    await expect.poll(() => keepers(database)).toEqual([]);
    await expect
      .poll(async () => {
        house.look(morning + dayMs);
        return partitionDays(client);
      })
      .toHaveLength(6);
  });

  test("nothing that is in somebody's way keeps the rest from being done", async () => {
    const database = await newDatabase();
    const [client, other] = [await database.client(), await database.client()];
    await database.ask("insert into node values ('dead', 1, 0, 1)");
    await other.query("begin");
    await other.query(
      "insert into fact (request, offer, type, seq, cell, at) values ('\\x00', 0, 1, 0, 1, 1)",
    );
    await client.query("set lock_timeout = 300");
    const keep = prepareKeeping(client);
    const options = { eventsKeptDays: leastKeptDays, log: () => undefined, isStopped: () => false };
    await expect(keep(morning, options)).rejects.toMatchObject({ code: "55P03" });
    expect(await partitionDays(client)).toEqual([]);
    expect(await database.count("node")).toBe(0);
    await other.query("rollback");
    await keep(morning + 60_000, options);
    expect(await partitionDays(client)).toHaveLength(5);
  });

  const damageWhatWaits = async (database: TestDatabase, bytes: number) => {
    // Its bytes are of no layout that there is.
    await database.ask("update detail_delta set lines = $1", [Buffer.alloc(bytes, 9)]);
  };

  test.each([
    ["with little that waits", 1, [0, 0, 1]],
    ["with so much that it is settled at every look", 50_000, [1, 1, 2]],
  ])("a row that cannot be settled keeps the rest from nothing, %s", async (_, bytes, told) => {
    const database = await newDatabase();
    const events: LogLine[] = [];
    const log = (event: LogLine) => void events.push(event);
    const keep = prepareKeeping(await database.client());
    const options = { eventsKeptDays: leastKeptDays, log, isStopped: () => false };
    await keep(morning, options);
    await database.write([blocked(visitAt(morning))]);
    await damageWhatWaits(database, bytes);
    const later = morning + (leastKeptDays + 2) * dayMs;
    const toldBy: number[] = [];
    for (const at of [morning + 1000, morning + 2000, later]) {
      await keep(at, options);
      toldBy.push(events.length);
    }
    expect(toldBy).toEqual(told);
    for (const event of events) {
      expect(event).toEqual({
        event: "lines_not_settled",
        message: expect.stringContaining("RangeError"),
      });
    }
    expect(await partitionDays(await database.client())).toContain(dayNumber(later));
    expect(await database.count("fact")).toBe(0);
  });

  test("a row that cannot be settled keeps no failure of the rest from being told", async () => {
    const database = await newDatabase();
    await database.write([blocked(visitAt(morning))]);
    await damageWhatWaits(database, 1);
    await database.ask("alter table node rename to renamed");
    const keep = prepareKeeping(await database.client());
    const options = { eventsKeptDays: leastKeptDays, log: () => undefined, isStopped: () => false };
    await expect(keep(morning, options)).rejects.toThrow('relation "node"');
  });
});
