import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import {
  addAdvertiser,
  addOffer,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import type { Journal } from "../journal/journal.ts";
import { openStore } from "../open-store.ts";
import type { Store } from "../store.ts";
import type { Database } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Several stores, each with its own writer thread, on one file. */
const openStores = async (count: number, fill: (db: Database["db"]) => Promise<void>) => {
  const { file, close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await fill(database.db);
  const stores: Store[] = [];
  for (let opened = 0; opened < count; opened++) {
    const store = await openStore({
      database: { engine: "sqlite", file, durability: "full" },
      clock: () => morning,
      log: () => undefined,
    });
    closing.push(store.close);
    stores.push(store);
  }
  return { ...database, stores };
};

/** Sends every entry at once, to the stores in turn, and again what was turned away, as a visitor would. */
const sendAll = (stores: readonly Store[], entries: readonly JournalEntry[]): Promise<JournalOutcome[]> =>
  Promise.all(
    entries.map(async (entry, index) => {
      const journal = stores[index % stores.length]?.journal;
      for (;;) {
        try {
          return await (journal as Journal).append(entry);
        } catch (error) {
          if (!(error instanceof StorageUnavailable)) throw error;
        }
      }
    }),
  );

const billed = (outcomes: readonly JournalOutcome[]) =>
  outcomes.filter(({ billedMicros }) => billedMicros !== null);

const spendOf = ({ db }: Pick<Database, "db">, subject: string, day = 0) =>
  db
    .selectFrom("spend")
    .select(["spent_micros", "billed_clicks"])
    .where("subject", "=", subject)
    .where("day", "=", day)
    .executeTakeFirst();

const expectNothingAmiss = async ({ db }: Pick<Database, "db">) => {
  expect((await recount(db)).differences).toEqual([]);
  expect((await audit(db)).differences).toEqual([]);
};

describe("two writers on one file", () => {
  test("a budget of 100 clicks bills exactly 100 of 2,000 concurrent hops", async () => {
    const opened = await openStores(2, async (db) => {
      await addAdvertiser(db, "advertiser_1", 10_000_000);
      await addOffer(db, {
        id: "offer_1",
        advertiser: "advertiser_1",
        payoutMicros: 1000,
        total_budget_micros: 100_999,
      });
    });
    const visits = Array.from({ length: 2000 }, (_, index) => visitOf(`r${index}`));
    await sendAll(
      opened.stores,
      visits.map((visit) => served(visit, [1])),
    );
    const outcomes = await sendAll(
      opened.stores,
      visits.map((visit) => hop(visit, 1)),
    );
    expect(billed(outcomes)).toHaveLength(100);
    expect(outcomes.filter(({ refusal }) => refusal === "budget_exhausted")).toHaveLength(1900);
    expect(await spendOf(opened, "offer_1")).toEqual({ spent_micros: 100_000, billed_clicks: 100 });
    expect(await spendOf(opened, "advertiser_1")).toEqual({ spent_micros: 100_000, billed_clicks: 100 });
    const lines = await opened.db
      .selectFrom("ledger_line")
      .select("micros")
      .where("kind", "=", "click")
      .execute();
    expect(lines).toHaveLength(100);
    expect(lines.reduce((sum, { micros }) => sum + micros, 0)).toBe(-100_000);
    await expectNothingAmiss(opened);
  });

  test("an advertiser's balance for 100 clicks is not overdrawn by ten offers", async () => {
    const offers = Array.from({ length: 10 }, (_, index) => `offer_${index}`);
    const numbers = offers.map((_, index) => index + 1);
    const opened = await openStores(2, async (db) => {
      await addAdvertiser(db, "advertiser_1", 100_000);
      for (const id of offers) await addOffer(db, { id, advertiser: "advertiser_1", payoutMicros: 1000 });
    });
    const visits = Array.from({ length: 50 }, (_, index) => visitOf(`r${index}`));
    await sendAll(
      opened.stores,
      visits.map((visit) => served(visit, numbers)),
    );
    const outcomes = await sendAll(
      opened.stores,
      visits.flatMap((visit) => numbers.map((offer) => hop(visit, offer))),
    );
    expect(billed(outcomes)).toHaveLength(100);
    expect(await spendOf(opened, "advertiser_1")).toEqual({ spent_micros: 100_000, billed_clicks: 100 });
    // What an offer took before the balance refused is given back.
    const sums = await Promise.all(offers.map((offer) => spendOf(opened, offer)));
    expect(sums.reduce((sum, row) => sum + (row?.billed_clicks ?? 0), 0)).toBe(100);
    await expectNothingAmiss(opened);
    for (const store of opened.stores) {
      await store.reload();
      for (const offer of numbers) expect(store.hasBudget(offer)).toBe(false);
    }
  });

  test("one token 500 times bills once and stores 499 duplicates", async () => {
    const opened = await openStores(2, async (db) => {
      await addAdvertiser(db, "advertiser_1", 10_000_000);
      await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
    });
    const visit = visitOf("r1");
    await sendAll(opened.stores, [served(visit, [1])]);
    const outcomes = await sendAll(opened.stores, Array<JournalEntry>(500).fill(hop(visit, 1)));
    expect(billed(outcomes)).toHaveLength(1);
    expect(outcomes.filter(({ refusal }) => refusal === "duplicate")).toHaveLength(499);
    expect(await spendOf(opened, "offer_1")).toEqual({ spent_micros: 1000, billed_clicks: 1 });
    await expectNothingAmiss(opened);
  });

  test("1,000 tokens of 5 copies each bill exactly 1,000", async () => {
    const opened = await openStores(2, async (db) => {
      await addAdvertiser(db, "advertiser_1", 10_000_000);
      await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
    });
    const visits = Array.from({ length: 1000 }, (_, index) => visitOf(`r${index}`));
    await sendAll(
      opened.stores,
      visits.map((visit) => served(visit, [1])),
    );
    const copies = Array.from({ length: 5 }, () => visits.map((visit) => hop(visit, 1))).flat();
    expect(billed(await sendAll(opened.stores, copies))).toHaveLength(1000);
    await expectNothingAmiss(opened);
  });
});

describe("each cap by itself", () => {
  const next = morning + 24 * 3_600_000;
  const limits = { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 };
  test.each([
    { cap: "daily click cap", offer: { ...limits, daily_click_cap: 3 }, today: 3, tomorrow: 3 },
    { cap: "daily budget", offer: { ...limits, daily_budget_micros: 3999 }, today: 3, tomorrow: 3 },
    { cap: "total click cap", offer: { ...limits, total_click_cap: 4 }, today: 4, tomorrow: 0 },
    { cap: "total budget", offer: { ...limits, total_budget_micros: 4000 }, today: 4, tomorrow: 0 },
    {
      cap: "total behind a daily cap",
      offer: { ...limits, daily_click_cap: 3, total_click_cap: 4 },
      today: 3,
      tomorrow: 1,
    },
    { cap: "a budget of nothing", offer: { ...limits, total_budget_micros: 0 }, today: 0, tomorrow: 0 },
  ])("$cap: $today today, $tomorrow tomorrow", async ({ offer, today, tomorrow }) => {
    const opened = await openStores(1, async (db) => {
      await addAdvertiser(db, "advertiser_1", 1_000_000);
      await addOffer(db, offer);
    });
    const clicksOn = async (day: string, at: number) => {
      const visits = Array.from({ length: 9 }, (_, index) => visitOf(`${day}-${index}`, { at }));
      await sendAll(
        opened.stores,
        visits.map((visit) => served(visit, [1])),
      );
      return sendAll(
        opened.stores,
        visits.map((visit) => hop(visit, 1)),
      );
    };
    expect(billed(await clicksOn("today", morning))).toHaveLength(today);
    expect(billed(await clicksOn("tomorrow", next))).toHaveLength(tomorrow);
    const total = (today + tomorrow) * 1000;
    expect((await spendOf(opened, "offer_1"))?.spent_micros ?? 0).toBe(total);
    expect((await spendOf(opened, "offer_1", dayNumber(next)))?.spent_micros ?? 0).toBe(tomorrow * 1000);
    expect((await spendOf(opened, "advertiser_1"))?.spent_micros ?? 0).toBe(total);
    await expectNothingAmiss(opened);
  });

  test("a CPM offer's impressions stop at its budget, whatever its click caps", async () => {
    const opened = await openStores(1, async (db) => {
      await addAdvertiser(db, "advertiser_1", 1_000_000);
      await addOffer(db, {
        id: "offer_1",
        advertiser: "advertiser_1",
        payoutMicros: 5000,
        payout_model: "CPM",
        total_budget_micros: 52,
        total_click_cap: 1,
      });
    });
    const visits = Array.from({ length: 20 }, (_, index) => visitOf(`r${index}`));
    await sendAll(
      opened.stores,
      visits.map((visit) => served(visit, [1], { model: "CPM", micros: 5 })),
    );
    const outcomes = await sendAll(
      opened.stores,
      visits.map((visit) => impression(visit, 1)),
    );
    expect(billed(outcomes)).toHaveLength(10);
    expect(outcomes.filter(({ refusal }) => refusal === "budget_exhausted")).toHaveLength(10);
    expect(await spendOf(opened, "offer_1")).toEqual({ spent_micros: 50, billed_clicks: 0 });
    await expectNothingAmiss(opened);
  });
});
