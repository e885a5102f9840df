import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packLines, unpackLines } from "../../core/detail-lines.ts";
import { factTypes } from "../../core/fact.ts";
import { figureColumns } from "../../core/figures.ts";
import { packOffers } from "../../core/handed-offers.ts";
import { recount } from "../books/recount.ts";
import { up as layout } from "../migrations/0001-tables.ts";
import { openStore } from "../open-store.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate, migrations } from "./migrate.ts";
import { takeWriteLock } from "./write-lock.ts";

let directory: string;
const opened: Database[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "offers-migrate-"));
});
afterEach(async () => {
  for (const { db } of opened.splice(0)) await db.destroy();
  rmSync(directory, { recursive: true });
});

const file = () => join(directory, "offers.sqlite");
const open = () => {
  const database = openDatabase({ file: file(), durability: "relaxed", busyTimeoutMs: 0 });
  opened.push(database);
  return database;
};

/** Each file of the folder: one that is named neither in migrate.ts nor in both-engines.ts is missing in the database. */
const allMigrations = readdirSync(join(import.meta.dirname, "../migrations"))
  .filter((name) => /^\d{4}-/.test(name))
  .map((name) => name.replace(".ts", ""))
  .sort();

const migrationsIn = ({ sqlite }: Database) =>
  sqlite.prepare("select name from kysely_migration order by name").pluck().all();

test("an empty file gets the whole schema, and a second time changes nothing", async () => {
  const database = open();
  await migrate(database);
  const before = database.sqlite.prepare("select count(*) from sqlite_schema").pluck().get();
  const version = database.sqlite.pragma("schema_version", { simple: true });
  await migrate(database);
  expect(database.sqlite.prepare("select count(*) from sqlite_schema").pluck().get()).toBe(before);
  expect(database.sqlite.pragma("schema_version", { simple: true })).toBe(version);
  expect(migrationsIn(database)).toEqual(allMigrations);
});

test("sessions that an earlier program kept are counted from the beginning", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  const insert = database.sqlite.prepare(`
    insert into decline_session (id, website_id, origin, request, country, region, test, created_at, expires_at)
      values (?, ?, '', x'00', 'DE', '', 0, 1, 2)`);
  for (const [at, websiteId] of [1, 2, 2, 2, 3, 3, 1].entries()) insert.run(`dcl_${at}`, websiteId);
  await migrate(database);
  const kept = () => database.sqlite.prepare("select * from decline_kept order by website_id").raw().all();
  expect(kept()).toEqual([
    [0, 7],
    [1, 2],
    [2, 3],
    [3, 2],
  ]);
  database.sqlite.exec("delete from decline_session where website_id = 2");
  expect(kept()).toEqual([
    [0, 4],
    [1, 2],
    [2, 0],
    [3, 2],
  ]);
});

test("a website of before has its overlay where and as it was, on every page", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  database.sqlite.exec(`
    insert into publisher (id, name, public_key, created_at, changed) values ('publisher_a', 'A', 'pub_a', 1, 1);
    insert into website (key, publisher_id, name, vertical, own_brand, development, origins_json, geo_rule_json,
        settings_json, allowlist_json, created_at, changed)
      values ('ws_a', 'publisher_a', 'A', 'news', '', 0, '[]', '{}', '{"trigger":"immediate"}', '{}', 1, 1)`);
  await migrate(database);
  const settings = database.sqlite.prepare("select settings_json from website").pluck().get();
  expect(JSON.parse(String(settings))).toEqual({
    trigger: "immediate",
    frequency: "closed",
    placement: "center",
    pages: { include: [], exclude: [] },
    accent: null,
    radius: null,
    font: "own",
    logo: null,
  });
});

test("all that was billed before there were shares is its publisher's, with its website", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  const [figures, none] = ["0, 0, 0, 1, 1, 620000, 0", "1, 0, 0, 0, 0, 0, 0"];
  database.sqlite.exec(`
    insert into publisher (id, name, public_key, created_at, changed) values ('publisher_a', 'A', 'pub_a', 1, 1);
    insert into website (key, publisher_id, name, vertical, own_brand, development, origins_json, geo_rule_json,
        settings_json, allowlist_json, created_at, changed)
      values ('ws_a', 'publisher_a', 'A', 'news', '', 0, '[]', '{}', '{}', '{}', 1, 1);
    insert into advertiser (number, id, name, deposited_micros, created_at) values (1, 'advertiser_a', 'A', 9, 1);
    insert into cell values (5, 1, 'DE', '', 'games', 'overlay', 0, 'EUR', 0), (6, 7, 'DE', '', 'games', 'overlay', 0, 'EUR', 0);
    insert into fact (request, offer, type, seq, cell, at, billed_micros, beacon_at, hop_at) values
      (x'01', 3, 4, 0, 5, 1, 620000, 41, 1), (x'01', 3, 3, 0, 5, 1, null, 1, null), (x'01', 3, 4, 1, 5, 1, null, null, 1),
      (x'02', 3, 3, 0, 6, 1, 9, null, null);
    insert into ledger_line (at, day, kind, advertiser, offer, request, micros, currency) values
      (1, 1, 'deposit', 1, null, null, 9, 'EUR'), (1, 1, 'click', 1, 3, x'01', -620000, 'EUR'),
      (1, 1, 'impression', 1, 3, x'02', -9, 'EUR');
    insert into counter_delta values (1, 5, 1, ${figures}), (2, 5, 2, ${none});
    insert into counter_day values (1, 1, 'games', 'overlay', 0, 'EUR', ${figures});
    insert into counter_publisher values (1, 1, 'DE', 'games', 'overlay', 0, 'EUR', ${figures});
    insert into counter values (1, 1, 'DE', 'games', 'overlay', 0, 'EUR', 0, '', 0, 0, 0, ${figures})`);
  await migrate(database);
  const rows = (query: string) => database.sqlite.prepare(query).raw().all();
  expect(rows("select share_basis_points, shows_spend from publisher")).toEqual([[10_000, 1]]);
  expect(rows("select share_basis_points from website")).toEqual([[null]]);
  expect(rows("select kind, website, earned_micros from ledger_line order by id")).toEqual([
    ["deposit", null, null],
    ["click", 1, 620_000],
    ["impression", 7, 9],
  ]);
  expect(rows("select earned_micros from fact order by request, type, seq")).toEqual([
    [null],
    [620_000],
    [null],
    [9],
  ]);
  // With what waited to be added to them.
  for (const table of ["counter", "counter_day", "counter_publisher"]) {
    expect(rows(`select spend_micros, earned_micros, blocked from ${table} order by day`)).toEqual([
      [1_240_000, 1_240_000, 0],
      [0, 0, 1],
    ]);
  }
  expect(rows("select beacon_after, hop_after from fact order by request, type, seq")).toEqual([
    [0, null],
    [40, 0],
    [null, 0],
    [null, null],
  ]);
  expect(rows("select * from cell order by id")).toEqual([
    [5, 1, "DE", "", "games", "overlay", 0, "EUR", 0],
    [6, 7, "DE", "", "games", "overlay", 0, "EUR", 0],
  ]);
});

test("what was counted before by day is told by hour, offer, placement and device as well", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  const handed = { position: 1, payoutModel: "CPC" as const, priceMicros: 70, role: "new" as const };
  const offers = packOffers([
    { ...handed, offer: 7, cell: 1, placement: "premium" },
    { ...handed, offer: 8, cell: 1, placement: "standard" },
  ]);
  const hour = 500_003;
  const day = Math.floor(hour / 24);
  database.sqlite.exec(`
    insert into cell values (1, 5, 'DE', 'BE', 'games', 'overlay', 0, 'EUR', 0);
    insert into counter values (5, ${day}, 'DE', 'games', 'overlay', 0, 'EUR', 0, '', 0, 0, 0, 0, 2, 0, 1, 1, 70, 3);
    insert into counter_day values (5, ${day}, 'games', 'overlay', 0, 'EUR', 0, 2, 0, 1, 1, 70, 3);
    insert into counter_publisher values (0, ${day}, 'DE', 'games', 'overlay', 0, 'EUR', 0, 2, 0, 1, 1, 70, 3);
    insert into unkept_event values (1, ${day}, 3)`);
  const insert = database.sqlite.prepare(
    `insert into fact (request, offer, type, seq, cell, at, placement, billed_micros, offers)
     values (x'000000000000000000000001', ?, ?, 0, 1, ?, ?, ?, ?)`,
  );
  insert.run(0, factTypes.served, hour * 3_600_000 + 5, null, null, offers);
  insert.run(8, factTypes.click, (hour + 1) * 3_600_000, 2, 70, null);
  await migrate(database);
  expect((await recount(database.db)).differences).toEqual([]);
  const rows = database.sqlite
    .prepare("select hour, lines from detail where website_id = 5 order by hour")
    .all();
  const lines = (rows as { hour: number; lines: Uint8Array }[]).flatMap(({ hour: at, lines: packed }) =>
    [...unpackLines(packed)].map(({ offer, placement }) => [at, offer, placement]),
  );
  expect(lines).toEqual([
    // Refused events without a fact: only their day was kept.
    [day * 24, 0, 0],
    [hour, 7, 1],
    [hour, 8, 2],
    [hour + 1, 8, 2],
  ]);
});

test("what waited for the counters and for the lines by itself is settled, each once", async () => {
  const database = open();
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0030"));
  const provider = { getMigrations: async () => before };
  await new Migrator({ db: database.db, provider }).migrateToLatest();
  const hour = 500_003;
  const day = Math.floor(hour / 24);
  const figures = (served: number) => figureColumns.map((column) => (column === "served" ? served : 0));
  const insert = (table: string, key: Record<string, string | number>, served = 2) => {
    const columns = [...Object.keys(key), ...figureColumns];
    const statement = `insert into ${table} (${columns}) values (${columns.map(() => "?")})`;
    database.sqlite.prepare(statement).run(...Object.values(key), ...figures(served));
  };
  // As the program of before has left it: of three visits two are in the counters, and one is in the lines.
  database.sqlite.exec("insert into cell values (1, 5, 'DE', 'BE', 'games', 'overlay', 0, 'EUR', 0)");
  insert("counter_delta", { cell: 1, day }, 1);
  const place = { vertical: "games", surface: "overlay", test: 0, currency: "EUR" };
  insert("counter", { website_id: 5, day, country: "DE", ...place });
  insert("counter_day", { website_id: 5, day, ...place });
  insert("counter_publisher", { publisher: 0, day, country: "DE", ...place });
  const lines = (served: number) =>
    packLines([{ cell: 1, offer: 7, placement: 1, figures: figures(served) }]);
  database.sqlite.prepare("insert into detail values (5, ?, ?)").run(hour, lines(1));
  database.sqlite.prepare("insert into detail_delta values (?, ?, ?)").run(4, hour, lines(1));
  database.sqlite.prepare("insert into detail_delta values (?, ?, ?)").run(-7, hour, lines(1));
  await migrate(database);
  const read = (query: string) => database.sqlite.prepare(query).pluck().all();
  expect(read("select count(*) from detail_delta")).toEqual([0]);
  for (const table of ["counter", "counter_day", "counter_publisher"]) {
    expect(read(`select served from ${table}`)).toEqual([3]);
  }
  expect(read("select lines from detail")).toEqual([Buffer.from(lines(3))]);
});

test("what is up to date needs no lock", async () => {
  const [database, other] = [open(), open()];
  await migrate(database);
  takeWriteLock(other.sqlite, 0);
  await expect(migrate(database)).resolves.toBeUndefined();
  other.sqlite.exec("rollback");
});

test("four processes' threads that start at once on an empty file all come up with one schema", async () => {
  const database = { engine: "sqlite", file: file(), durability: "full" } as const;
  const options = { database, clock: Date.now, log: () => undefined };
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(options)));
  expect(stores.map((store) => store.isReady())).toEqual([true, true, true, true]);
  for (const store of stores) await store.close();
  expect(migrationsIn(open())).toEqual(allMigrations);
});

test("a database of a newer program is refused, untouched, by the function and by the store", async () => {
  const database = open();
  await migrate(database);
  database.sqlite
    .prepare("insert into kysely_migration (name, timestamp) values (?, ?)")
    .run("0099-from-the-future", "2031-01-01T00:00:00.000Z");
  const schema = () => database.sqlite.prepare("select sql from sqlite_schema").pluck().all();
  const before = schema();
  await expect(migrate(database)).rejects.toThrow(/newer than this program.*0099-from-the-future/);
  const opening = openStore({
    database: { engine: "sqlite", file: file(), durability: "full" },
    clock: Date.now,
    log: () => undefined,
  });
  await expect(opening).rejects.toThrow(/newer than this program.*0099-from-the-future/);
  expect(schema()).toEqual(before);
  expect(database.sqlite.inTransaction).toBe(false);
});

test.each(["0001-first-schema", "0001-layout"])(
  "a database of before the first release (%s) is refused, untouched, with what to do",
  async (name) => {
    const database = open();
    database.sqlite.exec("create table kysely_migration (name text primary key, timestamp text)");
    database.sqlite.prepare("insert into kysely_migration values (?, '2025-01-01')").run(name);
    await expect(migrate(database)).rejects.toThrow(/before the first release.*offer export.*offer import/);
    expect(migrationsIn(database)).toEqual([name]);
  },
);

test("a database is not brought to another schema under a service that runs on it, by the function or the store", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  // The parent stands for the service.
  const mark = join(directory, `running-${process.ppid}`);
  writeFileSync(mark, "");
  const refusal = new RegExp(
    `service of an older release runs on the database \\(process ${process.ppid}\\)`,
  );
  await expect(migrate(database)).rejects.toThrow(refusal);
  const options = {
    database: { engine: "sqlite", file: file(), durability: "full" },
    clock: Date.now,
    log: () => undefined,
  } as const;
  await expect(openStore(options)).rejects.toThrow(refusal);
  expect(migrationsIn(database)).toEqual(["0001-tables"]);

  // Whoever has it alone knows better than a mark.
  await migrate(database, { isAlone: true });
  expect(migrationsIn(database)).toEqual(allMigrations);
  // Beside it, where nothing is to be migrated.
  writeFileSync(mark, "");
  await expect(migrate(database)).resolves.toBeUndefined();
});

test("the mark of a service that was killed keeps nobody from migrating", async () => {
  const database = open();
  const first = { getMigrations: async () => ({ "0001-tables": { up: layout } }) };
  await new Migrator({ db: database.db, provider: first }).migrateToLatest();
  const gone = spawnSync(process.execPath, ["--version"]).pid;
  writeFileSync(join(directory, `running-${gone}`), "");
  await migrate(database);
  expect(migrationsIn(database)).toEqual(allMigrations);
});

test("nor does a service beside an empty file, which does not run on it", async () => {
  const database = open();
  writeFileSync(join(directory, `running-${process.ppid}`), "");
  await migrate(database);
  expect(migrationsIn(database)).toEqual(allMigrations);
});

test("a migration that fails leaves nothing behind", async () => {
  const database = open();
  // In the way of one of the first migration's tables.
  database.sqlite.exec("create table counter (nonsense text)");
  await expect(migrate(database)).rejects.toThrow(/counter/);
  expect(
    database.sqlite.prepare("select name from sqlite_schema where type = 'table'").pluck().all(),
  ).toEqual(["counter"]);
});
