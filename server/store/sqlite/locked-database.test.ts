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

/** How an append ended. */
const endOf = (append: Promise<unknown>): Promise<unknown> =>
  append.then(
    () => "recorded" as const,
    (error: unknown) => error,
  );

test("a lock held for five seconds: refused soon, nothing acknowledged lost, kept entries follow, no freeze", async () => {
  const { store, file, requests, log, db } = await newStore();
  await store.journal.append(blocked(visitOf("before")));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const holder = await holdLock(file);
  delay.enable();
  const appends: Promise<unknown>[] = [];
  const keeps: { request: string; answer: Promise<unknown> }[] = [];
  let isRefused = false;
  const start = performance.now();
  for (let round = 0; performance.now() - start < 5000; round++) {
    const append = endOf(store.journal.append(impression(visitOf(`a${round}`), 1)));
    appends.push(append);
    // The first one is in the batch that waits for the lock.
    if (round === 0) void append.then((end) => (isRefused = String(end).includes("refuses to write")));
    const name = `k${round}`;
    keeps.push({ request: requestOf(name), answer: store.journal.keep(blocked(visitOf(name)), 150) });
    await after(20);
    if (isRefused) expect(store.isReady()).toBe(false);
  }
  delay.disable();
  // Nobody waits for the lock: it is still held.
  for (const end of await Promise.all(appends)) {
    expect(end).toBeInstanceOf(StorageUnavailable);
    expect((end as StorageUnavailable).retryAfterSeconds).toBeGreaterThanOrEqual(1);
  }
  for (const { answer } of keeps) expect(await answer).toBe("pending");
  // Who waits for a lock on the event loop holds it up for a second, again and again.
  expect(delay.percentile(99) / 1e6).toBeLessThan(250);
  expect(await requests()).toEqual(new Set([requestOf("before")]));

  await holder.release();
  await vi.waitFor(() => expect(store.isReady()).toBe(true), { timeout: 10_000, interval: 10 });
  await expect(store.journal.append(blocked(visitOf("after")))).resolves.toMatchObject({ refusal: null });
  const expected = new Set([requestOf("before"), requestOf("after"), ...keeps.map(({ request }) => request)]);
  await vi.waitFor(async () => expect(await requests()).toEqual(expected), { timeout: 10_000, interval: 20 });
  expect((await recount(db)).differences).toEqual([]);
  expect(log).toEqual([
    expect.objectContaining({ event: "journal_refused", code: "SQLITE_BUSY" }),
    expect.objectContaining({ event: "journal_recovered" }),
  ]);
});

test("a lock of half a second is waited for: nobody is refused", { timeout: 60_000 }, async () => {
  /** Says how long it was held. */
  const tryOnce = async (): Promise<number> => {
    const { store, file } = await newStore();
    const holder = await holdLock(file);
    const since = performance.now();
    const appends = Array.from({ length: 100 }, (_, index) =>
      endOf(store.journal.append(blocked(visitOf(`r${index}`)))),
    );
    const kept = store.journal.keep(blocked(visitOf("kept")), 5000);
    await after(400);
    await holder.release();
    const heldMs = performance.now() - since;
    const ends = new Set(await Promise.all(appends));
    if (heldMs > 800) return heldMs;
    expect([...ends]).toEqual(["recorded"]);
    expect(await kept).toBe("committed");
    expect(store.isReady()).toBe(true);
    return heldMs;
  };
  // Where the machine stood still, it was held for longer.
  let tries = 1;
  while ((await tryOnce()) > 800) {
    tries += 1;
    expect(tries).toBeLessThan(10);
  }
});

test("a store that is closed while the database is locked gives up after some seconds, and says what it lost", async () => {
  const { store, file, log } = await newStore();
  await holdLock(file);
  const kept = store.journal.keep(blocked(visitOf("kept")), 10);
  const appended = endOf(store.journal.append(blocked(visitOf("appended"))));
  expect(await kept).toBe("pending");
  // The lock is held for longer than the test may take.
  await store.close();
  expect(await appended).toBeInstanceOf(StorageUnavailable);
  expect(log).toContainEqual({ event: "journal_entries_lost", entries: 1 });
});
