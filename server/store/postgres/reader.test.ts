import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
import { addAdvertiser, addOffer, hashOf, morning } from "../conformance/journal-for-tests.ts";
import { opening, sessionOf } from "../conformance/sessions-for-tests.ts";
import type { Polled, Reader } from "../engine.ts";
import { StorageRefusal } from "../threads/start-thread.ts";
import { startServer, type TestDatabase, type TestServer } from "./database-for-tests.ts";
import { startReader } from "./start-reader.ts";

let tests: TestServer;
beforeAll(async () => {
  tests = await startServer();
});
afterAll(() => tests.remove());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const today = dayNumber(morning);

const newDatabase = async (): Promise<TestDatabase> => {
  const database = await tests.newDatabase();
  closing.push(database.close);
  return database;
};

const openReader = (url: string) => {
  const events: object[] = [];
  const deaths: Error[] = [];
  const reader: Reader = startReader({
    address: { engine: "postgres", url, durability: "full", needsSyncStandby: false, spoolFile: "" },
    eventsKeptDays: null,
    log: (event) => events.push(event),
    onDeath: (error) => deaths.push(error),
  });
  closing.push(reader.close);
  const poll = async (at = morning): Promise<Polled> => {
    const polled = await reader.poll(at);
    if (polled === null) throw new Error(`nothing was read: ${JSON.stringify(events)}`);
    return polled;
  };
  return { ...reader, events, deaths, poll };
};

const charge = (database: TestDatabase, subject: string, advertiser: number, day = today) =>
  database.db.transaction().execute(async (tx) => {
    for (const [of, onDay] of [
      [subject, 0],
      [subject, day],
      ["advertiser_1", 0],
    ] as const) {
      await tx
        .insertInto("spend")
        .values({ subject: of, day: onDay, spent_micros: 1000, billed_clicks: 1 })
        .execute();
    }
    await tx
      .insertInto("ledger_line")
      .values({ at: morning, day, kind: "click", advertiser, offer: 1, micros: -1000, currency: "EUR" })
      .execute();
  });

describe("a poll", () => {
  test("brings everything the first time, and nothing where nothing has changed", async () => {
    const { url, db } = await newDatabase();
    await addAdvertiser(db, "advertiser_1", 500);
    await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
    await db
      .insertInto("dismissal")
      .values({ day: startOfDay(today), visitor: Buffer.alloc(16, 1) })
      .execute();
    await db
      .insertInto("rate_count")
      .values({ offer: 1, country: "DE", placement: 1, impressions: 5, clicks: 1, changed: 3 })
      .execute();
    const reader = openReader(url);
    const first = await reader.poll();
    expect(first.catalogue.flatMap(({ offers }) => offers.map(({ id }) => id))).toEqual(["offer_1"]);
    expect(first.salts?.map(({ day }) => day)).toEqual([today - 1, today, today + 1]);
    expect(first).toMatchObject({ exhausted: [1], paced: [], clockOffsetMs: expect.any(Number) });
    expect(first.dismissed).toEqual([
      { visitor: Buffer.alloc(16, 1).toString("base64url"), at: startOfDay(today) },
    ]);
    expect(first.rates?.counts).toMatchObject([
      { offer: 1, vertical: "games", country: "DE", impressions: 5 },
    ]);
    const again = await reader.poll(morning + 10_000);
    expect(again).toMatchObject({ catalogue: [], salts: null, exhausted: null, paced: null, dismissed: [] });
    expect(again.rates).toBeNull();
    expect(Math.abs(again.clockOffsetMs)).toBeLessThan(50);
  });
});
