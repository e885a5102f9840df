import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { blocked, morning, requestOf, visitOf } from "../conformance/journal-for-tests.ts";
import { openStore } from "../open-store.ts";
import { textOf } from "../rows/row-bytes.ts";
import type { Store } from "../store.ts";
import { openDatabase } from "./database.ts";
import { fileSizes } from "./file-sizes.ts";
import { takeWriteLock } from "./write-lock.ts";

let store: Store | null = null;
afterEach(() => store?.close());

const openNew = async () => {
  const directory = mkdtempSync(join(tmpdir(), "lost-"));
  const file = join(directory, "offers.sqlite");
  const log: { event?: string; file?: string }[] = [];
  const database = { engine: "sqlite", file, durability: "full" } as const;
  const opened = await openStore({ database, clock: () => morning, log: (event) => log.push(event) });
  store = opened;
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return { file, log, store: opened };
};

type Sent = { name: string; at: number; acknowledgedAt: number | null };

/** Sixteen callers who record one blocked visit after the other until they are told to stop. */
const startLoad = ({ journal }: Store) => {
  const sent: Sent[] = [];
  let isOver = false;
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    for (let turn = 0; !isOver; turn += 1) {
      const one: Sent = { name: `c${caller}t${turn}`, at: performance.now(), acknowledgedAt: null };
      sent.push(one);
      try {
        await journal.append(blocked(visitOf(one.name)));
        one.acknowledgedAt = performance.now();
      } catch (error) {
        expect(error).toBeInstanceOf(StorageUnavailable);
        await after(5);
      }
    }
  });
  return {
    acknowledged: () => sent.filter(({ acknowledgedAt }) => acknowledgedAt !== null),
    sentAfter: (moment: number) => sent.filter(({ at }) => at > moment),
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
    },
  };
};

const replace = (file: string) => {
  copyFileSync(file, `${file}.new`);
  renameSync(`${file}.new`, file);
};

describe.skipIf(process.platform === "win32")("a file of the running service that is", () => {
  test.each([
    ["removed: the database", "", rmSync],
    ["removed: its log", "-wal", rmSync],
    ["removed: its shared memory", "-shm", rmSync],
    ["replaced by a copy: the database", "", replace],
    ["replaced by a copy: its log", "-wal", replace],
  ])("%s: nothing that comes later is acknowledged, and it is said once", async (_name, suffix, lose) => {
    const { file, log, store } = await openNew();
    const load = startLoad(store);
    await vi.waitFor(() => expect(load.acknowledged().length).toBeGreaterThan(500), { timeout: 10_000 });
    lose(`${file}${suffix}`);
    const lostAt = performance.now();
    await vi.waitFor(() => expect(store.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
    await vi.waitFor(() => expect(load.sentAfter(lostAt).length).toBeGreaterThan(500), { timeout: 10_000 });
    await load.stop();
    expect(load.sentAfter(lostAt).filter(({ acknowledgedAt }) => acknowledgedAt !== null)).toEqual([]);
    expect(log).toEqual([
      { event: "database_file_lost", file: `${file}${suffix}` },
      { event: "journal_refused", code: "SQLITE_READONLY_DBMOVED" },
    ]);
  });

  test.each(["", "-wal", "-shm"])(
    "removed while nobody writes (offers.sqlite%s) is noticed",
    async (suffix) => {
      const { file, log, store } = await openNew();
      expect(store.isReady()).toBe(true);
      rmSync(`${file}${suffix}`);
      await vi.waitFor(() => expect(store.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
      expect(log).toContainEqual({ event: "database_file_lost", file: `${file}${suffix}` });
    },
  );

  test("removed while a commit is under way: that is not acknowledged either", async () => {
    const { file, store } = await openNew();
    await store.journal.append(blocked(visitOf("first")));
    const beside = openDatabase({ file, durability: "full" });
    takeWriteLock(beside.sqlite, 1000);
    const held = expect(store.journal.append(blocked(visitOf("held")))).rejects.toThrow(StorageUnavailable);
    // Long enough for the batch to reach the lock, which it waits a second for.
    await after(200);
    rmSync(file);
    beside.sqlite.exec("rollback");
    await held;
    await beside.db.destroy();
  });

  test("moved away and back is not trusted again", async () => {
    const { file, log, store } = await openNew();
    renameSync(file, `${file}.away`);
    await vi.waitFor(() => expect(store.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
    renameSync(`${file}.away`, file);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(store.journal.append(blocked(visitOf(`late${turn}`)))).rejects.toThrow(StorageUnavailable);
    }
    expect(store.isReady()).toBe(false);
    expect(log).toHaveLength(2);
  });

  // A folder whose rights are taken away, which would not keep root out: the system refuses to look in either.
  test("behind a folder that cannot be looked into: refused for as long as that lasts, and nothing ends", async () => {
    const { file, log, store } = await openNew();
    await store.journal.append(blocked(visitOf("before")));
    const folder = dirname(file);
    renameSync(folder, `${folder}.away`);
    symlinkSync(folder, folder);
    try {
      await expect(store.journal.append(blocked(visitOf("meanwhile")))).rejects.toThrow(StorageUnavailable);
      await expect(store.measure()).rejects.toThrow(StorageUnavailable);
      await vi.waitFor(() => expect(store.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
    } finally {
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
    }
    await vi.waitFor(() => expect(store.isReady()).toBe(true), { timeout: 10_000, interval: 10 });
    await store.journal.append(blocked(visitOf("after")));
    expect(log).toMatchObject([
      { event: "journal_refused", code: "SQLITE_CANTOPEN" },
      { event: "read_failed", code: "SQLITE_CANTOPEN" },
      { event: "journal_recovered" },
    ]);
  });

  test("removed, the log alone: what was acknowledged until then is in the database after a stop", async () => {
    const { file, store } = await openNew();
    const load = startLoad(store);
    await vi.waitFor(() => expect(load.acknowledged().length).toBeGreaterThan(500), { timeout: 10_000 });
    rmSync(`${file}-wal`);
    await vi.waitFor(() => expect(store.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
    await load.stop();
    await expect(store.journal.append(blocked(visitOf("late")))).rejects.toThrow(StorageUnavailable);
    await store.close();
    const { db } = openDatabase({ file, durability: "full" });
    const rows = await db.selectFrom("fact").select("request").execute();
    await db.destroy();
    const kept = new Set(rows.map(({ request }) => textOf(request)));
    expect(load.acknowledged().filter(({ name }) => !kept.has(requestOf(name)))).toEqual([]);
    expect(kept).not.toContain(requestOf("late"));
  });

  test("named by a link, as one that was moved to a larger disk: nothing is refused", async () => {
    const { file, log, store: first } = await openNew();
    await first.close();
    const linked = `${file}.linked`;
    symlinkSync(file, linked);
    const database = { engine: "sqlite", file: linked, durability: "full" } as const;
    store = await openStore({ database, clock: () => morning, log: (event) => log.push(event) });
    await expect(store.journal.append(blocked(visitOf("first")))).resolves.toMatchObject({ refusal: null });
    expect(fileSizes(linked).logBytes).toBeGreaterThan(0);
    expect(log).toEqual([]);
    // And turned elsewhere it is noticed.
    copyFileSync(file, `${file}.other`);
    rmSync(linked);
    symlinkSync(`${file}.other`, linked);
    await expect(store.journal.append(blocked(visitOf("late")))).rejects.toThrow(StorageUnavailable);
  });

  test("as it is, truncated by the tidying and read by another process: nothing is refused", async () => {
    const { file, log, store } = await openNew();
    await store.journal.append(blocked(visitOf("first")));
    const beside = openDatabase({ file, durability: "full" });
    beside.sqlite.pragma("wal_checkpoint(truncate)");
    await beside.db.destroy();
    await expect(store.journal.append(blocked(visitOf("second")))).resolves.toMatchObject({ refusal: null });
    expect(store.isReady()).toBe(true);
    expect(log).toEqual([]);
  });
});
