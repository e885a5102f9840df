import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { dayNumber } from "../core/utc-day.ts";
import { saltKeyOf, visitorHash } from "../core/visitor-hash.ts";
import { depositToAdvertiser } from "./catalogue/advertisers.ts";
import { changeCatalogue } from "./catalogue/catalogue-change.ts";
import { newCatalogue } from "./catalogue/catalogue-for-tests.ts";
import {
  addAdvertiser,
  addOffer,
  blocked,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "./conformance/journal-for-tests.ts";
import { JournalUnavailable } from "./journal/journal.ts";
import { openStore } from "./open-store.ts";
import { takeWriteLock } from "./sqlite/write-lock.ts";
import type { Store } from "./store.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const [offer1, offer2] = [1, 2] as const;

const newStore = async () => {
  const { close, ...database } = await newCatalogue(tmpdir());
  closing.push(close);
  await addAdvertiser(database.db, "advertiser_1", 1_000_000);
  await addOffer(database.db, {
    id: "offer_1",
    advertiser: "advertiser_1",
    payoutMicros: 1000,
    total_click_cap: 1,
  });
  await addOffer(database.db, {
    id: "offer_2",
    advertiser: "advertiser_1",
    payoutMicros: 1000,
    daily_click_cap: 1,
  });
  const time = { now: morning };
  const log: object[] = [];
  const store = await openStore({
    file: database.file,
    durability: "full",
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

/** What another process may take to show here, as promised. */
const soon = { timeout: 1000, interval: 10 };

describe("the catalogue", () => {
  test("a change by another process is there within a second, and nothing is compiled without one", async () => {
    const { store, db, transact } = await newStore();
    const before = store.catalogue().version;
    await store.journal.append(blocked(visitOf("r1")));
    await store.reload();
    expect(store.catalogue().version).toBe(before);
    await changeCatalogue({ db, transact }, ({ db: tx, version: changed }) =>
      tx.updateTable("offer").set({ title: "Renamed", changed }).where("number", "=", offer1).execute(),
    );
    await vi.waitFor(() => expect(store.catalogue().offer("offer_1")?.title).toBe("Renamed"), soon);
    expect(store.catalogue().version).toBe(before + 1);
  });

  test("an empty database is migrated and opens with an empty catalogue", async () => {
    const { file, close, sqlite } = await newCatalogue(tmpdir());
    closing.push(close);
    const fresh = `${file}-fresh`;
    const store = await openStore({
      file: fresh,
      durability: "full",
      clock: () => morning,
      log: () => undefined,
    });
    expect(store.catalogue().version).toBe(1);
    expect(store.isReady()).toBe(true);
    await store.close();
    expect(sqlite.open).toBe(true);
  });
});

describe("hasBudget", () => {
  test("an offer is closed as soon as its last click is answered, and stays closed through the polls", async () => {
    const { store } = await newStore();
    expect(store.hasBudget(offer1)).toBe(true);
    await click(store, "r1", offer1);
    expect(store.hasBudget(offer1)).toBe(false);
    expect(store.hasBudget(offer2)).toBe(true);
    await store.reload();
    await store.reload();
    expect(store.hasBudget(offer1)).toBe(false);
  });

  test("another process's clicks close an offer within a second", async () => {
    const { store, file } = await newStore();
    const other = await openStore({ file, durability: "full", clock: () => morning, log: () => undefined });
    closing.push(other.close);
    await click(other, "r1", offer1);
    await vi.waitFor(() => expect(store.hasBudget(offer1)).toBe(false), soon);
  });

  test("a raised cap opens it again within a second", async () => {
    const { store, db, transact } = await newStore();
    await click(store, "r1", offer1);
    expect(store.hasBudget(offer1)).toBe(false);
    await changeCatalogue({ db, transact }, ({ db: tx, version: changed }) =>
      tx.updateTable("offer").set({ total_click_cap: 2, changed }).where("number", "=", offer1).execute(),
    );
    await vi.waitFor(() => expect(store.hasBudget(offer1)).toBe(true), soon);
    expect(await click(store, "r2", offer1)).toMatchObject({ billedMicros: 1000 });
    expect(store.hasBudget(offer1)).toBe(false);
  });

  test("a daily cap opens again with the next UTC day", async () => {
    const { store, time } = await newStore();
    await click(store, "r1", offer2);
    expect(store.hasBudget(offer2)).toBe(false);
    time.now = Date.UTC(2026, 4, 5, 0, 0, 1);
    await vi.waitFor(() => expect(store.hasBudget(offer2)).toBe(true), soon);
    expect(await click(store, "r2", offer2, time.now)).toMatchObject({ billedMicros: 1000 });
  });

  test("it does so even while another process holds the write lock over midnight", async () => {
    const { store, time, sqlite } = await newStore();
    await click(store, "r1", offer2);
    await store.reload();
    takeWriteLock(sqlite, 1000);
    const before = store.salts();
    time.now = Date.UTC(2026, 4, 5, 0, 0, 1);
    await vi.waitFor(() => expect(store.hasBudget(offer2)).toBe(true), { timeout: 3000, interval: 10 });
    expect(store.salts().yesterday("visitor")).toEqual(before.today("visitor"));
    sqlite.exec("rollback");
  });

  test("a balance that is used up closes all offers of the advertiser at once, and a deposit opens them", async () => {
    const { store, db, transact } = await newStore();
    await db.updateTable("advertiser").set({ deposited_micros: 1500 }).execute();
    await click(store, "r1", offer2);
    expect([store.hasBudget(offer1), store.hasBudget(offer2)]).toEqual([false, false]);
    await depositToAdvertiser({ db, transact }, "advertiser_1", 7500, { now: morning });
    await vi.waitFor(() => expect(store.hasBudget(offer1)).toBe(true), soon);
    expect(store.hasBudget(offer2)).toBe(false);
  });
});

describe("salts", () => {
  const hashWith = (saltKey: ReturnType<Store["salts"]>["today"]) =>
    visitorHash({ saltKey, websiteId: 1, addressPrefix: "203.0.113.5", userAgent: "Browser" });

  test("midnight makes today's salt yesterday's, with nothing to wait for", async () => {
    const { store, time } = await newStore();
    const before = store.salts();
    expect(hashWith(before.today)).not.toBe(hashWith(before.yesterday));
    time.now = Date.UTC(2026, 4, 5);
    const after = store.salts();
    expect(hashWith(after.yesterday)).toBe(hashWith(before.today));
    expect(hashWith(after.today)).not.toBe(hashWith(before.today));
  });

  test("a clock that has jumped by a month gets salts of its own within a second, the old ones are gone", async () => {
    const { store, time, db } = await newStore();
    const before = hashWith(store.salts().today);
    time.now = Date.UTC(2026, 5, 4);
    expect(() => store.salts()).not.toThrow();
    await vi.waitFor(async () => {
      const rows = await db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
      expect(rows.map(({ day }) => day)).toEqual([
        dayNumber(time.now) - 1,
        dayNumber(time.now),
        dayNumber(time.now) + 1,
      ]);
      expect(hashWith(store.salts().today)).toBe(hashWith(saltKeyOf(rows[1]?.salt ?? "")));
    }, soon);
    expect(hashWith(store.salts().today)).not.toBe(before);
  });

  test("two stores on one file hash alike", async () => {
    const { store, file } = await newStore();
    const other = await openStore({ file, durability: "full", clock: () => morning, log: () => undefined });
    closing.push(other.close);
    expect(hashWith(other.salts().today)).toBe(hashWith(store.salts().today));
  });
});

describe("close", () => {
  test("commits what waits, turns away what comes, and leaves no log behind", async () => {
    const { store, db, file } = await newStore();
    const visits = Array.from({ length: 1500 }, (_, index) => visitOf(`r${index}`));
    const waiting = visits.map((visit) => store.journal.append(impression(visit, offer1)));
    const closed = store.close();
    expect(store.isReady()).toBe(false);
    expect(store.journal.isFull()).toBe(true);
    await expect(store.journal.append(blocked(visitOf("late")))).rejects.toThrow(JournalUnavailable);
    await expect(store.journal.keep(blocked(visitOf("later")), 50)).rejects.toThrow(JournalUnavailable);
    await closed;
    closing.splice(1);
    expect(await Promise.all(waiting)).toHaveLength(1500);
    const { count } = await db
      .selectFrom("fact")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1500);
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  });

  test("a file that cannot be opened is named", async () => {
    const { file } = await newStore();
    const nowhere = `${file}-missing/offers.sqlite`;
    const opening = openStore({
      file: nowhere,
      durability: "full",
      clock: () => morning,
      log: () => undefined,
    });
    await expect(opening).rejects.toThrow(/missing/);
  });

  test("a thread that dies ends in the fatal callback, once, and the store is not ready any more", async () => {
    const { close, file, sqlite } = await newCatalogue(tmpdir());
    closing.push(close);
    const deaths: Error[] = [];
    const store = await openStore({
      file,
      durability: "full",
      clock: () => morning,
      log: () => undefined,
      onFatal: (error) => deaths.push(error),
    });
    closing.push(store.close);
    // Nothing that the reader could mistake for a passing trouble.
    sqlite.exec("drop table visitor_salt");
    await vi.waitFor(() => expect(deaths).toHaveLength(1), { timeout: 2000, interval: 10 });
    expect(deaths[0]?.message).toContain("visitor_salt");
    expect(store.isReady()).toBe(false);
  });
});
