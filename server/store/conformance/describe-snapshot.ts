import { afterEach, describe, expect, test, vi } from "vitest";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { saltKeyOf, visitorHash } from "../../core/visitor-hash.ts";
import { changeCatalogue } from "../catalogue/catalogue-change.ts";
import { adjustAdvertiser, depositToAdvertiser } from "../catalogue/payments.ts";
import type { Store } from "../store.ts";
import { type EngineUnderTest, readingOf } from "./engine-under-test.ts";
import {
  addAdvertiser,
  addOffer,
  blocked,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "./journal-for-tests.ts";

const [offer1, offer2] = [1, 2] as const;

/** Well within a day: an engine may go by the database's clock, which is some milliseconds ahead or behind. */
const nextMorning = morning + 86_400_000;
const monthLater = morning + 31 * 86_400_000;

/** What another process has changed is asked for twice a second (`open-store.test.ts`); a slow machine takes longer. */
const soon = { timeout: 10_000, interval: 10 };

/** What calls are answered from, and how a store ends. */
export function describeSnapshot(engine: EngineUnderTest): void {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const newStore = async () => {
    const database = await engine.newDatabase();
    closing.push(database.close);
    const { db } = database;
    await addAdvertiser(db, "advertiser_1", 1_000_000);
    const offer = { advertiser: "advertiser_1", payoutMicros: 1000 };
    await addOffer(db, { id: "offer_1", ...offer, total_click_cap: 1 });
    await addOffer(db, { id: "offer_2", ...offer, daily_click_cap: 1 });
    const time = { now: morning };
    const open = async () => {
      const store = await database.open(() => time.now);
      closing.push(store.close);
      return store;
    };
    return { ...database, ...readingOf(database), store: await open(), open, time };
  };

  const click = async (store: Store, request: string, offer: number, at = morning) => {
    const visit = visitOf(request, { at });
    await store.journal.append(served(visit, [offer]));
    return store.journal.append(hop(visit, offer));
  };

  describe("the catalogue", () => {
    test("a change by another process is noticed, and nothing is compiled without one", async () => {
      const { store, ...database } = await newStore();
      const before = store.catalogue().version;
      await store.journal.append(blocked(visitOf("r1")));
      await store.reload();
      expect(store.catalogue().version).toBe(before);
      await changeCatalogue(database, ({ db: tx, version: changed }) =>
        tx.updateTable("offer").set({ title: "Renamed", changed }).where("number", "=", offer1).execute(),
      );
      await vi.waitFor(() => expect(store.catalogue().offer("offer_1")?.title).toBe("Renamed"), soon);
      expect(store.catalogue().version).toBe(before + 1);
    });
  });

  describe("rates", () => {
    test("an offer that moves to another vertical takes what was counted of it along", async () => {
      const { store, open, ...database } = await newStore();
      await click(store, "r1", offer1);
      await store.reload();
      const before = store.rates().of({ number: offer2, vertical: "games" }, "DE");
      await changeCatalogue(database, ({ db: tx, version: changed }) =>
        tx.updateTable("offer").set({ vertical: "loans", changed }).where("number", "=", offer1).execute(),
      );
      await store.reload();
      const afresh = (await open()).rates();
      for (const vertical of ["games", "loans"]) {
        const sibling = { number: offer2, vertical };
        expect(store.rates().of(sibling, "DE")).toEqual(afresh.of(sibling, "DE"));
      }
      expect(store.rates().of({ number: offer2, vertical: "games" }, "DE")).not.toEqual(before);
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
      expect(await click(store, "r2", offer1)).toMatchObject({ refusal: "budget_exhausted" });
      await store.reload();
      expect(store.hasBudget(offer1)).toBe(false);
    });

    test("another process's clicks close an offer", async () => {
      const { store, open } = await newStore();
      const other = await open();
      await click(other, "r1", offer1);
      await vi.waitFor(() => expect(store.hasBudget(offer1)).toBe(false), soon);
    });

    test("a raised cap opens it again", async () => {
      const { store, ...database } = await newStore();
      await click(store, "r1", offer1);
      expect(store.hasBudget(offer1)).toBe(false);
      await changeCatalogue(database, ({ db: tx, version: changed }) =>
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

    test("what yesterday's cap refuses today closes an offer until the next poll, and no longer", async () => {
      const { store, time } = await newStore();
      await click(store, "r1", offer2);
      time.now = Date.UTC(2026, 4, 5, 0, 5);
      await vi.waitFor(() => expect(store.hasBudget(offer2)).toBe(true), soon);
      expect(await click(store, "r2", offer2)).toMatchObject({ refusal: "budget_exhausted" });
      await store.reload();
      expect(store.hasBudget(offer2)).toBe(true);
    });

    test("a balance that is used up closes all offers of the advertiser at once, and a deposit opens them", async () => {
      const { store, db, ...database } = await newStore();
      await db.updateTable("advertiser").set({ deposited_micros: 1500 }).execute();
      await click(store, "r1", offer2);
      expect([store.hasBudget(offer1), store.hasBudget(offer2)]).toEqual([false, false]);
      await depositToAdvertiser({ ...database, db }, "advertiser_1", { micros: 7500 }, { now: morning });
      await vi.waitFor(() => expect(store.hasBudget(offer1)).toBe(true), soon);
      expect(store.hasBudget(offer2)).toBe(false);
    });
  });

  describe("money that is taken back", () => {
    const price = 1000;
    const ofTwo = async (micros: number) => {
      const { store, open, db, ...database } = await newStore();
      await addAdvertiser(db, "advertiser_2", micros);
      const paid = { advertiser: "advertiser_2", payoutMicros: price };
      const offers = [
        await addOffer(db, { id: "offer_3", ...paid }),
        await addOffer(db, { id: "offer_4", ...paid }),
      ];
      const stores = [store, await open()] as const;
      const adjust = (micros: number) =>
        adjustAdvertiser({ ...database, db }, "advertiser_2", { micros, note: "n" }, { now: morning });
      const areOpen = () => stores.map((one) => offers.map((offer) => one.hasBudget(offer)));
      return { ...database, stores, offers, adjust, areOpen };
    };
    const [open, closed] = [true, false].map((is) => [
      [is, is],
      [is, is],
    ]);

    test("closes the advertiser's offers for every process, and what is given back opens them", async () => {
      const { stores, offers, adjust, areOpen } = await ofTwo(5 * price);
      const [offer3 = 0, offer4 = 0] = offers;
      await click(stores[0], "r1", offer3);
      await adjust(-3 * price - 1);
      await vi.waitFor(() => expect(areOpen()).toEqual(closed), soon);
      expect(await click(stores[1], "r2", offer4)).toMatchObject({ refusal: "budget_exhausted" });
      await adjust(1);
      await vi.waitFor(() => expect(areOpen()).toEqual(open), soon);
      expect(await click(stores[1], "r3", offer4)).toMatchObject({ billedMicros: price });
      await vi.waitFor(() => expect(areOpen()).toEqual(closed), soon);
    });

    test("is never what clicks have spent that come meanwhile: what is left is billed to the last one", async () => {
      const { stores, offers, adjust, spend, differences } = await ofTwo(150 * price);
      const visits = Array.from({ length: 300 }, (_, number) => visitOf(`r${number}`));
      await Promise.all(visits.map((visit) => stores[0].journal.append(served(visit, offers))));
      let deposited = 150 * price;
      const taking = (async () => {
        // Once more than there is to be taken.
        for (let turn = 0; turn <= 150 / 7; turn += 1) {
          ({ depositedMicros: deposited } = await adjust(-7 * price));
        }
      })();
      const refused = expect(taking).rejects.toThrow(/^micros: must not take /);
      const clicking = visits.map((visit, number) =>
        stores[number % 2 === 0 ? 0 : 1].journal.append(hop(visit, offers[number % offers.length] ?? 0)),
      );
      const outcomes = await Promise.all(clicking);
      await refused;
      const billed = outcomes.filter(({ billedMicros }) => billedMicros !== null).length;
      const spent = await spend("advertiser_2");
      expect(spent).toEqual({ spent_micros: billed * price, billed_clicks: billed });
      // Less than seven clicks are left, where money was taken back behind the last click.
      expect(deposited - spent.spent_micros).toBeGreaterThanOrEqual(0);
      expect(deposited - spent.spent_micros).toBeLessThan(7 * price);
      expect(await differences()).toEqual([]);
    }, 60_000);
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

    test("a clock that has jumped by a month gets salts of its own, the old ones are gone", async () => {
      const { store, time, db } = await newStore();
      const before = hashWith(store.salts().today);
      time.now = monthLater;
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
      const { store, open } = await newStore();
      const other = await open();
      expect(hashWith(other.salts().today)).toBe(hashWith(store.salts().today));
    });
  });

  describe("visitors who have closed the overlay", () => {
    const visitor = "AAAAAAAAAAAAAAAAAAAAAA";

    test("are known at once, with its next look to another process, and to whoever opens the file later", async () => {
      const { store, open } = await newStore();
      const other = await open();
      expect(store.hasDismissed(visitor)).toBe(false);
      await store.dismiss({ visitor, at: morning });
      expect(store.hasDismissed(visitor)).toBe(true);
      await vi.waitFor(() => expect(other.hasDismissed(visitor)).toBe(true), soon);
      await store.dismiss({ visitor: "BBBBBBBBBBBBBBBBBBBBBA", at: morning });
      await vi.waitFor(() => expect(other.hasDismissed("BBBBBBBBBBBBBBBBBBBBBA")).toBe(true), soon);
      const later = await open();
      expect(later.hasDismissed(visitor)).toBe(true);
    });

    test("are one row each, and none on the next day", async () => {
      const { store, db, time } = await newStore();
      const rows = () => db.selectFrom("dismissal").selectAll().execute();
      await store.dismiss({ visitor, at: morning });
      await store.dismiss({ visitor, at: morning + 1 });
      expect(await rows()).toHaveLength(1);
      time.now = nextMorning;
      await vi.waitFor(async () => expect(await rows()).toEqual([]), soon);
      await store.dismiss({ visitor: "BBBBBBBBBBBBBBBBBBBBBA", at: time.now });
      expect(store.hasDismissed(visitor)).toBe(false);
      expect(
        (await rows()).map(({ number }) => number),
        "numbers are never used twice",
      ).toEqual([2]);
    });
  });

  describe("close", () => {
    test("commits what waits and turns away what comes", async () => {
      const { store, facts } = await newStore();
      const visits = Array.from({ length: 1500 }, (_, index) => visitOf(`r${index}`));
      const waiting = visits.map((visit) => store.journal.append(impression(visit, offer1)));
      const closed = store.close();
      expect(store.isReady()).toBe(false);
      expect(store.journal.isFull()).toBe(true);
      await expect(store.journal.append(blocked(visitOf("late")))).rejects.toThrow(StorageUnavailable);
      await expect(store.journal.keep(blocked(visitOf("later")), 50)).rejects.toThrow(StorageUnavailable);
      await closed;
      closing.splice(1);
      expect(await Promise.all(waiting)).toHaveLength(1500);
      expect(await facts()).toHaveLength(1500);
    });
  });
}
