import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { recount } from "../books/recount.ts";
import { blocked, impression, morning, requestOf, visitOf } from "../conformance/journal-for-tests.ts";
import { openStore } from "../open-store.ts";
import { textOf } from "../rows/row-bytes.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newStore = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const log: object[] = [];
  const { file } = database;
  const store = await openStore({
    database: { engine: "sqlite", file, durability: "full" },
    clock: () => morning,
    log: (event) => log.push(event),
  });
  closing.push(store.close);
  const requests = async () => {
    const rows = await database.db.selectFrom("fact").select("request").where("reason", "is", null).execute();
    return new Set(rows.map(({ request }) => textOf(request)));
  };
  return { ...database, store, log, requests };
};

/** Another process that takes the write lock, and gives it back when it is told to. */
const holdLock = async (file: string): Promise<{ release: () => Promise<unknown> }> => {
  const script = `
    import Database from "better-sqlite3";
    const sqlite = new Database(process.argv[1], { timeout: 5000 });
    sqlite.exec("begin immediate");
    process.stdout.write("locked");
    process.stdin.once("data", () => { sqlite.exec("rollback"); process.exit(0); });`;
  const holder: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", script, file], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"],
  });
  closing.push(async () => holder.kill("SIGKILL"));
  if (holder.stdout === null) throw new Error("the lock holder has no output");
  await once(holder.stdout, "data");
  return {
    release: () => {
      const ended = once(holder, "exit");
      holder.stdin?.end("release");
      return ended;
    },
  };
};

/** How an append ended, and after how many milliseconds. */
const timed = async (append: Promise<unknown>) => {
  const start = performance.now();
  const end = await append.then(
    () => "recorded" as const,
    (error: unknown) => error,
  );
  return { end, ms: performance.now() - start };
};

test("a lock held for five seconds: refused soon, nothing acknowledged lost, kept entries follow, no freeze", async () => {
  const { store, file, requests, log, db } = await newStore();
  await store.journal.append(blocked(visitOf("before")));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const holder = await holdLock(file);
  delay.enable();
  const appends: ReturnType<typeof timed>[] = [];
  const keeps: { request: string; answer: ReturnType<typeof timed> }[] = [];
  const start = performance.now();
  for (let round = 0; performance.now() - start < 5000; round++) {
    appends.push(timed(store.journal.append(impression(visitOf(`a${round}`), 1))));
    const name = `k${round}`;
    keeps.push({ request: requestOf(name), answer: timed(store.journal.keep(blocked(visitOf(name)), 150)) });
    await after(20);
    if (performance.now() - start > 1500) expect(store.isReady()).toBe(false);
  }
  delay.disable();
  for (const { end, ms } of await Promise.all(appends)) {
    expect(end).toBeInstanceOf(StorageUnavailable);
    expect((end as StorageUnavailable).retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(ms).toBeLessThan(1500);
  }
  for (const { answer } of keeps) expect((await answer).ms).toBeLessThan(250);
  expect(delay.percentile(99) / 1e6).toBeLessThan(50);
  expect(await requests()).toEqual(new Set([requestOf("before")]));

  await holder.release();
  const released = performance.now();
  await vi.waitFor(() => expect(store.isReady()).toBe(true), { timeout: 2000, interval: 10 });
  await expect(store.journal.append(blocked(visitOf("after")))).resolves.toMatchObject({ refusal: null });
  expect(performance.now() - released).toBeLessThan(2000);
  const expected = new Set([requestOf("before"), requestOf("after"), ...keeps.map(({ request }) => request)]);
  await vi.waitFor(async () => expect(await requests()).toEqual(expected), { timeout: 2000, interval: 20 });
  expect((await recount(db)).differences).toEqual([]);
  expect(log).toEqual([
    expect.objectContaining({ event: "journal_refused", code: "SQLITE_BUSY" }),
    expect.objectContaining({ event: "journal_recovered" }),
  ]);
});

test("a lock of half a second is waited for: nobody is refused", async () => {
  const { store, file } = await newStore();
  const holder = await holdLock(file);
  const appends = Array.from({ length: 100 }, (_, index) =>
    store.journal.append(blocked(visitOf(`r${index}`))),
  );
  const kept = store.journal.keep(blocked(visitOf("kept")), 5000);
  await after(400);
  await holder.release();
  expect(await Promise.all(appends)).toHaveLength(100);
  expect(await kept).toBe("committed");
  expect(store.isReady()).toBe(true);
});

test("a store that is closed while the database is locked gives up after some seconds, and says what it lost", async () => {
  const { store, file, log } = await newStore();
  await holdLock(file);
  const kept = store.journal.keep(blocked(visitOf("kept")), 10);
  const appended = timed(store.journal.append(blocked(visitOf("appended"))));
  expect(await kept).toBe("pending");
  const start = performance.now();
  await store.close();
  expect(performance.now() - start).toBeLessThan(9000);
  expect((await appended).end).toBeInstanceOf(StorageUnavailable);
  expect(log).toContainEqual({ event: "journal_entries_lost", entries: 1 });
});
