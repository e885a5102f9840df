import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { dayNumber } from "../core/utc-day.ts";
import { changeCatalogue } from "./catalogue/catalogue-change.ts";
import {
  addAdvertiser,
  addOffer,
  blocked,
  hop,
  morning,
  served,
  visitOf,
} from "./conformance/journal-for-tests.ts";
import { openStore } from "./open-store.ts";
import { openDatabase } from "./sqlite/database.ts";
import { newCatalogueFile } from "./sqlite/file-for-tests.ts";
import { takeWriteLock } from "./sqlite/write-lock.ts";
import type { Store } from "./store.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const offer2 = 2;

const newStore = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await addAdvertiser(database.db, "advertiser_1", 1_000_000);
  await addOffer(database.db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  await addOffer(database.db, {
    id: "offer_2",
    advertiser: "advertiser_1",
    payoutMicros: 1000,
    daily_click_cap: 1,
  });
  const time = { now: morning };
  const log: object[] = [];
  const store = await openStore({
    database: { engine: "sqlite", file: database.file, durability: "full" },
    clock: () => time.now,
    log: (event) => log.push(event),
  });
  closing.push(store.close);
  return { ...database, store, time, log };
};

const click = async (store: Store, request: string, offer: number, at = morning) => {
  const visit = visitOf(request, { at });
  await store.journal.append(served(visit, [offer]));
  return store.journal.append(hop(visit, offer));
};

describe("a store on a file", () => {
  test("an empty database is migrated and opens with an empty catalogue", async () => {
    const { file, close, sqlite } = await newCatalogueFile(tmpdir());
    closing.push(close);
    const fresh = `${file}-fresh`;
    const store = await openStore({
      database: { engine: "sqlite", file: fresh, durability: "full" },
      clock: () => morning,
      log: () => undefined,
    });
    expect(store.catalogue().version).toBe(1);
    expect(store.isReady()).toBe(true);
    await store.close();
    expect(sqlite.open).toBe(true);
  });

  test("what another process has changed is asked for every half second", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { store, ...database } = await newStore();
      await changeCatalogue(database, ({ db, version: changed }) =>
        db.updateTable("offer").set({ title: "Renamed", changed }).where("number", "=", offer2).execute(),
      );
      vi.advanceTimersByTime(500);
      vi.useRealTimers();
      const title = () => store.catalogue().offer("offer_2")?.title;
      await vi.waitFor(() => expect(title()).toBe("Renamed"), { timeout: 10_000, interval: 10 });
    } finally {
      vi.useRealTimers();
    }
  });

  test("while somebody reads over midnight events are recorded, though a salt's copy in the log has to wait", async () => {
    const { store, time, file, log } = await newStore();
    const { sqlite: reader } = openDatabase({ file, durability: "relaxed" });
    closing.push(async () => reader.close());
    reader.exec("begin");
    reader.prepare("select count(*) from offer").get();
    time.now = Date.UTC(2026, 4, 5, 0, 0, 1);
    const waits: number[] = [];
    for (let visit = 0; visit < 20; visit += 1) {
      // Looks what is to be done, as twice a second: a salt has ended, and the log cannot be folded in.
      const looked = store.reload();
      const from = performance.now();
      await store.journal.append(blocked(visitOf(`r${visit}`, { at: time.now })));
      waits.push(performance.now() - from);
      await looked;
    }
    reader.exec("commit");
    expect(reader.prepare("select min(day) from visitor_salt").pluck().get()).toBe(dayNumber(morning));
    expect(log).not.toContainEqual(expect.objectContaining({ event: "journal_refused" }));
    // Whoever stood still with the machine is one or two.
    expect(waits.filter((ms) => ms > 800).length).toBeLessThanOrEqual(waits.length / 4);
  });

  test("a daily cap opens again even while another process holds the write lock over midnight", async () => {
    const { store, time, sqlite } = await newStore();
    await click(store, "r1", offer2);
    await store.reload();
    takeWriteLock(sqlite, 1000);
    const before = store.salts();
    time.now = Date.UTC(2026, 4, 5, 0, 0, 1);
    await vi.waitFor(() => expect(store.hasBudget(offer2)).toBe(true), { timeout: 10_000, interval: 10 });
    expect(store.salts().yesterday("visitor")).toEqual(before.today("visitor"));
    sqlite.exec("rollback");
  });

  test("leaves no log behind when it is closed", async () => {
    const { store, file } = await newStore();
    await store.journal.append(blocked(visitOf("r1")));
    await store.close();
    closing.splice(1);
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  });

  test("a storage that takes nothing is known from the start on, before anybody comes, and until it does", async () => {
    const { store, file, sqlite, log } = await newStore();
    await store.close();
    closing.splice(1);
    takeWriteLock(sqlite, 1000);
    const next = await openStore({
      database: { engine: "sqlite", file, durability: "full" },
      clock: () => morning,
      log: (event) => log.push(event),
    });
    closing.push(next.close);
    await vi.waitFor(() => expect(next.isReady()).toBe(false), { timeout: 10_000, interval: 10 });
    expect(log).toEqual([{ event: "journal_refused", code: "SQLITE_BUSY" }]);
    sqlite.exec("rollback");
    await vi.waitFor(() => expect(next.isReady()).toBe(true), { timeout: 10_000, interval: 10 });
  });

  test("a file that cannot be opened is named", async () => {
    const { file } = await newStore();
    const nowhere = `${file}-missing/offers.sqlite`;
    const opening = openStore({
      database: { engine: "sqlite", file: nowhere, durability: "full" },
      clock: () => morning,
      log: () => undefined,
    });
    await expect(opening).rejects.toThrow(/missing/);
  });

  test("a thread that dies ends in the fatal callback, once, and the store is not ready any more", async () => {
    const { close, file, sqlite } = await newCatalogueFile(tmpdir());
    closing.push(close);
    const deaths: Error[] = [];
    const store = await openStore({
      database: { engine: "sqlite", file, durability: "full" },
      clock: () => morning,
      log: () => undefined,
      onFatal: (error) => deaths.push(error),
    });
    closing.push(store.close);
    // Nothing that the reader could mistake for a passing trouble.
    sqlite.exec("drop table visitor_salt");
    await vi.waitFor(() => expect(deaths).toHaveLength(1), { timeout: 10_000, interval: 10 });
    expect(deaths[0]?.message).toContain("visitor_salt");
    expect(store.isReady()).toBe(false);
  });
});
