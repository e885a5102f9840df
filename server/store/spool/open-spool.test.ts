import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BlockedEntry } from "../../core/journal-entry.ts";
import { blocked, served, visitOf } from "../conformance/journal-for-tests.ts";
import { openSpool } from "./open-spool.ts";

let directory = "";
let file = "";
const log: object[] = [];
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "offers-spool-"));
  file = join(directory, "spool.sqlite");
  log.length = 0;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(directory, { recursive: true });
});

const open = async (megabytes?: number, database = "one") => {
  const spool = await openSpool({
    ...{ file, database },
    ...(megabytes !== undefined && { megabytes }),
    log: (event) => log.push(event),
  });
  closing.push(spool.close);
  return spool;
};
const entries = (count: number, from = 0): BlockedEntry[] =>
  Array.from({ length: count }, (_, index) => blocked(visitOf(`r${from + index}`)));
const on = (path: string, work: (sqlite: BetterSqlite3.Database) => void) => {
  const sqlite = new BetterSqlite3(path);
  work(sqlite);
  sqlite.close();
};

describe("a spool", () => {
  test("hands out what it got, whole and in order, and to whoever opens it next", async () => {
    const spool = await open();
    expect(spool.opened).toEqual({ forgotten: 0, last: 0 });
    expect(await spool.read(0, 10)).toEqual({ lines: [], upTo: 0 });
    const visit = visitOf("r1", { region: "BE", test: true, browser: 3 });
    const [offer] = served(visit, [7]).offers;
    const full: BlockedEntry = {
      ...blocked(visit),
      ...(offer && { offer }),
      rates: 4,
      decidedBy: { catalogue: 7, geoSource: 332_133 },
      observed: ["search_engine"],
    };
    const all = [full, ...entries(1200)];
    // Asked for one behind the other, without waiting.
    const positions = await Promise.all([spool.add(all.slice(0, 700)), spool.add(all.slice(700))]);
    expect(positions).toEqual([700, 1201]);
    const first = await spool.read(0, 500);
    expect(first.lines.map(({ entry }) => entry)).toEqual(all.slice(0, 500));
    expect([first.lines.at(-1)?.position, first.upTo]).toEqual([500, 500]);
    await spool.forget(500);
    await spool.close();
    expect(log).toEqual([]);

    const next = await open();
    expect(next.opened).toEqual({ forgotten: 500, last: 1201 });
    expect(log).toEqual([{ event: "spool_found", entries: 701 }]);
    const rest = await next.read(500, 2000);
    expect(rest.lines.map(({ entry }) => entry)).toEqual(all.slice(500));
    expect(rest.upTo).toBe(1201);
  });

  test("counts on where it was emptied, and by another process too", async () => {
    const [one, other] = [await open(), await open()];
    await one.add(entries(3));
    await other.add(entries(2, 3));
    expect((await other.read(0, 10)).lines).toHaveLength(5);
    await one.forget(5);
    expect(await other.read(0, 10)).toEqual({ lines: [], upTo: 5 });
    await Promise.all([one.close(), other.close()]);
    const next = await open();
    expect(next.opened).toEqual({ forgotten: 5, last: 5 });
    expect(await next.add(entries(1))).toBe(6);
  });

  test("refuses what it has no room for, keeps what it had, and has room again for what was removed", async () => {
    const spool = await open(1);
    let last = 0;
    const full = await (async () => {
      for (;;) last = await spool.add(entries(500, last));
    })().catch((error: unknown) => error);
    expect(full).toMatchObject({ name: "StorageRefusal", code: "SQLITE_FULL" });
    expect(last).toBeGreaterThan(2000);
    const { lines, upTo } = await spool.read(0, 100_000);
    expect([lines.length, upTo]).toEqual([last, last]);
    await spool.forget(last / 2);
    expect(await spool.add(entries(500))).toBe(last + 500);
    expect(statSync(file).size).toBeLessThanOrEqual(1024 * 1024);
  });

  test("gives its room back when it has grown large and is empty, and counts on", async () => {
    const spool = await open();
    for (let added = 0; added < 90_000; added += 5000) await spool.add(entries(5000, added));
    await spool.forget(89_999);
    expect((await spool.read(0, 10)).lines).toHaveLength(1);
    await spool.forget(90_000);
    expect(statSync(file).size).toBeLessThan(64 * 1024);
    expect(statSync(`${file}-wal`).size).toBeLessThan(64 * 1024);
    expect(await spool.add(entries(1))).toBe(90_001);
  });

  test("says of a line that cannot be read where it stands", async () => {
    const first = await open();
    await first.add(entries(2));
    await first.close();
    on(file, (sqlite) => sqlite.exec("update line set entry = 'torn' where position = 1"));
    const spool = await open();
    const { lines } = await spool.read(0, 10);
    expect(lines).toEqual([
      { position: 1, entry: null },
      { position: 2, entry: entries(2)[1] },
    ]);
  });

  // A spool is read by later programs than the one that wrote it.
  test("reads a line as the first program wrote it", async () => {
    const first = await open();
    await first.close();
    const line = `{"kind":"blocked","visit":{"request":"AbCdEfGhIjKlMnOp","websiteId":3,"country":"DE","region":"BE",
      "surface":"overlay","test":false,"browser":null,"device":2,"at":1777888800000},"vertical":"news","rates":null,
      "decidedBy":{"catalogue":7,"geoSource":332133},"observed":["search_engine"]}`;
    on(file, (sqlite) => sqlite.prepare("insert into line (entry) values (?)").run(line));
    const { lines } = await (await open()).read(0, 1);
    expect(lines[0]?.entry).toEqual({
      kind: "blocked",
      visit: {
        request: "AbCdEfGhIjKlMnOp",
        websiteId: 3,
        country: "DE",
        region: "BE",
        surface: "overlay",
        test: false,
        browser: null,
        device: 2,
        at: 1_777_888_800_000,
      },
      vertical: "news",
      rates: null,
      decidedBy: { catalogue: 7, geoSource: 332_133 },
      observed: ["search_engine"],
    } satisfies BlockedEntry);
  });

  test("keeps its lines for their own database, and is another one's once it is empty", async () => {
    const first = await open();
    await first.add(entries(3));
    await first.close();
    await expect(open(undefined, "other")).rejects.toThrow(
      `the spool ${file} cannot be opened: it has visits of another database than DATABASE_URL leads to (3): ` +
        `start the node on that one until its log says spool_empty, or move ${file}* elsewhere`,
    );
    const next = await open();
    expect((await next.read(0, 10)).lines).toHaveLength(3);
    await next.forget(3);
    await next.close();

    const other = await open(undefined, "other");
    expect(await other.add(entries(1, 3))).toBe(4);
    await other.close();
    await expect(open()).rejects.toThrow("another database");
  });

  test("takes no lines once another process has made it its own for another database", async () => {
    const one = await open();
    const other = await open(undefined, "other");
    await expect(one.add(entries(1))).rejects.toThrow();
    expect(await other.add(entries(1))).toBe(1);
    await one.close();
    await other.close();
  });

  test("of a program that noted no database goes on with the one that it is opened for", async () => {
    const first = await open();
    await first.add(entries(2));
    await first.close();
    on(file, (sqlite) => sqlite.exec("drop table owner"));
    const next = await open(undefined, "other");
    expect((await next.read(0, 10)).lines).toHaveLength(2);
    await next.close();
    await expect(open()).rejects.toThrow("another database");
  });

  test.each([
    ["a later program's", "pragma user_version = 2", /written by a later program/],
    ["that is a directory", null, /SQLITE_CANTOPEN/],
  ])("does not open a file %s, and names it", async (_name, statement, message) => {
    if (statement === null) file = directory;
    else on(file, (sqlite) => sqlite.exec(statement));
    const failure = await open().catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
    expect(failure).toMatchObject({ message: expect.stringContaining(file) });
  });

  test("whose thread has died refuses, and says so once", async () => {
    const spool = await open();
    on(file, (sqlite) => sqlite.exec("drop table line"));
    await expect(spool.add(entries(1))).rejects.toThrow("no such table");
    await expect(spool.read(0, 1)).rejects.toThrow();
    expect(log).toEqual([{ event: "spool_thread_died", message: expect.stringContaining("no such table") }]);
  });
});
