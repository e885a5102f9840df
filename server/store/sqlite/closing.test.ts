import { tmpdir } from "node:os";
import type { Database as Sqlite } from "better-sqlite3";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type DetailLine, packLines, unpackLines } from "../../core/detail-lines.ts";
import { type FigureColumn, figureColumns } from "../../core/figures.ts";
import type { BlockedEntry, JournalEntry } from "../../core/journal-entry.ts";
import { leastKeptDays } from "../../core/kept-events.ts";
import { requestKeyOf } from "../../core/request-key.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { audit } from "../books/audit.ts";
import { makePublishers } from "../books/counters-for-tests.ts";
import { recount } from "../books/recount.ts";
import { hop, impression, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import { openStore } from "../open-store.ts";
import { countedIn } from "./counted-for-tests.ts";
import { openDatabase } from "./database.ts";
import { prepareErasing } from "./erase.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { factsAtOnce, preparePurgeFactsOnce } from "./purge-facts.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const dayMs = 86_400_000;

const linesRows = (sqlite: Sqlite) =>
  sqlite.prepare<[], { hour: number; lines: Uint8Array }>("select hour, lines from closed_detail").all();
/** What is kept of a figure of deleted facts. */
const keptOf = (sqlite: Sqlite, column: FigureColumn): number =>
  linesRows(sqlite)
    .flatMap(({ lines }) => [...unpackLines(lines)])
    .reduce((sum, { figures }) => sum + Number(figures[figureColumns.indexOf(column)]), 0);

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newBooks = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const { db, sqlite } = database;
  await makePublishers(db, [2, 1]);
  await addRandomOffers(db, { offer_cpc: { daily_click_cap: 60 } });
  // Not the writer's own: it has to hear that what it remembers is gone.
  const beside = openDatabase({ file: database.file, durability: "relaxed", busyTimeoutMs: 0 });
  closing.push(() => beside.db.destroy());
  const rows = (query: string) => sqlite.prepare(query).raw().all();
  return {
    ...database,
    writer: prepareBatchWriter(sqlite),
    beside: beside.sqlite,
    rows,
    facts: () => Number(rows("select count(*) from fact")[0]?.[0 as never]),
    /** Everything that reports, balances and statements are made of. */
    aggregates: () => [
      countedIn(sqlite),
      ...[
        "select * from spend",
        "select id, at, day, kind, advertiser, offer, micros, currency from ledger_line",
        "select * from rate_count",
      ].map(rows),
    ],
    expectTrueBooks: async () => {
      expect((await recount(db)).differences).toEqual([]);
      expect((await audit(db)).differences).toEqual([]);
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

describe("whatever is purged or erased, and whenever", () => {
  test.each([1, 2, 3, 4, 5, 6])("recount and audit stay right: run %i", async (seed) => {
    const books = await newBooks();
    const random = seededRandom(seed);
    const entries = spreadOut(randomEntries(random, 200), random);
    const purge = preparePurgeFactsOnce(books.beside, leastKeptDays);
    const erase = prepareErasing(books.beside, 0);
    let now = morning + (leastKeptDays - 3) * dayMs;
    let deletions = 0;
    const keepingBooks = async (work: () => unknown) => {
      const [before, facts] = [books.aggregates(), books.facts()];
      await work();
      if (books.facts() < facts) deletions += 1;
      expect(books.aggregates()).toEqual(before);
      await books.expectTrueBooks();
    };
    const purgeNow = () => keepingBooks(() => purge(now, 0));
    for (let at = 0; at < entries.length; ) {
      const size = 1 + Math.floor(random() * 300);
      books.writer.write(entries.slice(at, at + size), 0);
      at += size;
      // What is written afterwards of a request that is purged is late: as late as it likes.
      if (random() < 0.5) continue;
      now += Math.floor(random() * 0.5 * dayMs);
      await purgeNow();
      const { visit } = entries[Math.floor(random() * at)] as BlockedEntry;
      await keepingBooks(() => erase.request(visit.request));
    }
    expect(deletions).toBeGreaterThan(6);
    const ofWebsite = (id: number) =>
      books.rows(
        `select count(*) from fact where cell in (select id from cell where website_id = ${id})`,
      )[0]?.[0 as never];
    const [erased, other] = [Number(ofWebsite(2)), ofWebsite(3)];
    expect(erased).toBeGreaterThan(100);
    await keepingBooks(async () => expect(await erase.website(2)).toMatchObject({ events: erased }));
    expect([ofWebsite(2), ofWebsite(3)]).toEqual([0, other]);
    now = morning + (leastKeptDays + 1) * dayMs;
    while (books.facts() > 0) await purgeNow();
    expect(books.rows("select count(*) from ledger_line where request is not null")).toEqual([[0]]);
    expect(Number(books.rows("select sum(events) from closed_bill")[0]?.[0 as never])).toBeGreaterThan(50);
    expect(keptOf(books.sqlite, "filtered")).toBeGreaterThan(50);
  });
});

/** Two visits with a billed click each, of which one is purged. */
const halfPurged = async () => {
  const books = await newBooks();
  const visits = [0, 1].map((day) => {
    const at = morning + day * dayMs;
    return visitOf("v", { request: requestKeyOf(at, Buffer.alloc(7, day)), at });
  });
  for (const visit of visits)
    books.writer.write([served(visit, [1]), impression(visit, 1), hop(visit, 1)], 0);
  preparePurgeFactsOnce(books.beside, leastKeptDays)(morning + leastKeptDays * dayMs + 1, 0);
  expect(books.facts()).toBe(3);
  await books.expectTrueBooks();
  return books;
};

describe("what was kept of purged facts is compared as well", () => {
  /** Changes each kept line; null takes it out. */
  const plantInLines = (change: (line: DetailLine) => DetailLine | null) => (sqlite: Sqlite) => {
    for (const { hour, lines } of linesRows(sqlite)) {
      const changed = [...unpackLines(lines)].flatMap((line) => change(line) ?? []);
      sqlite.prepare("update closed_detail set lines = ? where hour = ?").run(packLines(changed), hour);
    }
  };
  const clicks = figureColumns.indexOf("clicks");
  const billed = ["clicks", "billable_clicks", "spend_micros", "earned_micros"];

  test.each<[string, string | ((sqlite: Sqlite) => void), string[], string[]]>([
    [
      "one click more",
      plantInLines(({ figures, ...line }) => ({
        ...line,
        figures: figures.map((figure, index) => (index === clicks && figure === 1 ? 2 : figure)),
      })),
      ["clicks"],
      [],
    ],
    ["no line", plantInLines(() => null), ["served", "impressions", ...billed], []],
    [
      "a bill of less",
      "update closed_bill set billed_micros = billed_micros - 1",
      [],
      ["closed_billed_micros", "website_spend"],
    ],
    [
      "a smaller share of it",
      "update closed_bill set earned_micros = earned_micros - 1",
      [],
      ["closed_earned_micros", "website_earnings"],
    ],
    ["a bill more", "update closed_bill set events = events + 1", [], ["billed_events"]],
    [
      "no bill",
      "delete from closed_bill",
      [],
      ["billed_events", "closed_billed_micros", "closed_earned_micros", "website_spend", "website_earnings"],
    ],
    [
      "ledger lines without their request",
      "update ledger_line set request = null",
      [],
      ["event_billed_micros", "event_earned_micros", "closed_billed_micros", "closed_earned_micros"],
    ],
  ])("%s", async (_, plant, counts, figures) => {
    const books = await halfPurged();
    if (typeof plant === "string") books.sqlite.exec(plant);
    else plant(books.sqlite);
    const { differences } = await recount(books.db);
    // In the counters, in both sums over them, and in the lines of the hour.
    const expected = [...counts, ...counts, ...counts, ...counts].toSorted();
    expect(differences.map(({ count }) => count).toSorted()).toEqual(expected);
    const found = (await audit(books.db)).differences.map(({ figure }) => figure);
    expect(found.toSorted()).toEqual(figures.toSorted());
  });
});

describe("a purge", () => {
  test("takes requests that are older than the days that events are kept, and no other", async () => {
    const books = await newBooks();
    const keptDays = 90;
    const made = (at: number) => visitOf("v", { request: requestKeyOf(at, Buffer.alloc(7)), at });
    for (const at of [morning - 1, morning]) books.writer.write([impression(made(at), 1)], 0);
    const now = morning + keptDays * dayMs;
    preparePurgeFactsOnce(books.beside, null)(now + 1e12, 0);
    expect(books.facts()).toBe(2);
    const purge = preparePurgeFactsOnce(books.beside, keptDays);
    purge(now - 1, 0);
    expect(books.facts()).toBe(2);
    purge(now, 0);
    expect(books.rows("select at from fact")).toEqual([[morning]]);
  });

  test("that fails half-way has done nothing", async () => {
    const books = await halfPurged();
    const before = [...books.aggregates(), books.rows("select * from closed_detail")];
    books.beside.exec(`create temp trigger broken before delete on fact when old.type = 4
      begin select raise(abort, 'torn'); end`);
    const purge = preparePurgeFactsOnce(books.beside, leastKeptDays);
    expect(() => purge(morning + 100 * dayMs, 0)).toThrow("torn");
    expect(books.facts()).toBe(3);
    expect([...books.aggregates(), books.rows("select * from closed_detail")]).toEqual(before);
    await books.expectTrueBooks();
  });

  test("is a running service's own, some at a time", async () => {
    const books = await newBooks();
    const count = 3 * factsAtOnce + 100;
    const visits = Array.from({ length: count }, (_, at) =>
      visitOf("v", { request: requestKeyOf(morning + at, Buffer.alloc(7)), at: morning + at }),
    );
    books.writer.write(
      visits.map((visit) => impression(visit, 1, ["bot"])),
      0,
    );
    const store = await openStore({
      database: { engine: "sqlite", file: books.file, durability: "relaxed" },
      eventsKeptDays: leastKeptDays,
      clock: () => morning + leastKeptDays * dayMs + count,
      log: () => undefined,
    });
    closing.push(store.close);
    await vi.waitFor(() => expect(books.facts()).toBe(0), 10_000);
    await books.expectTrueBooks();
    expect(keptOf(books.sqlite, "filtered")).toBe(count);
  });
});

test("a website's events are found wherever they lie among those of others", async () => {
  const books = await newBooks();
  const count = 10_001;
  const made = (at: number, websiteId: number) =>
    visitOf("v", { request: requestKeyOf(morning + at, Buffer.alloc(7)), websiteId });
  const visits = [...Array.from({ length: count }, (_, at) => made(at, 1)), made(count, 2)];
  books.writer.write(
    visits.map((visit) => impression(visit, 1, ["bot"])),
    0,
  );
  expect(await prepareErasing(books.beside, 0).website(2)).toMatchObject({ events: 1 });
  expect(books.facts()).toBe(count);
  await books.expectTrueBooks();
});
