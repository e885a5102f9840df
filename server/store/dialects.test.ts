import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Whole } from "../core/exact-sum.ts";
import { dayNumber, hourNumber } from "../core/utc-day.ts";
import { openBeside } from "../testing/engine-of-tests.ts";
import { fillSums, makePublishers } from "./books/counters-for-tests.ts";
import { readRefusedEvents } from "./books/refused-events.ts";
import { readReportBySurface } from "./books/report.ts";
import { byTests, newCatalogue, readingOf } from "./catalogue/catalogue-for-tests.ts";
import { createPublisher } from "./catalogue/publishers.ts";
import { atOneMoment, hasPart, text, whole } from "./dialects.ts";
import type { Schema } from "./schema.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeAll(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterAll(() => catalogue.close());

test("what is read at one moment is of one moment, whatever is written meanwhile", async () => {
  const beside = openBeside(catalogue.address, byTests);
  await createPublisher(beside, { name: "A" }, { now: 1 });
  const seen = await atOneMoment(catalogue.db, async (tx) => {
    const before = await readingOf({ db: tx }).count("publisher");
    await createPublisher(beside, { name: "B" }, { now: 1 });
    return [before, await readingOf({ db: tx }).count("publisher"), await readingOf({ db: tx }).version()];
  });
  expect(seen).toEqual([1, 1, 2]);
  expect([await catalogue.count("publisher"), await catalogue.version()]).toEqual([2, 3]);
  await beside.close();
});

const [date, day] = ["2026-11-20", 86_400_000];
const from = Date.parse(date);

/** What two statements of one reader say of the same. */
const readers: [string, (db: Kysely<Schema>) => Promise<Whole[]>][] = [
  [
    "what did not count",
    async (db) => {
      const { unkept, counted } = await readRefusedEvents(db, { from, to: from + day, isTest: false });
      return [
        unkept.reduce((sum, { events }) => sum + events, 0),
        counted.reduce((sum, { filtered }) => sum + filtered, 0),
      ];
    },
  ],
  [
    "a report by surface",
    async (db) => {
      const websites = [{ id: 1, key: websiteKey.parse("ws_1") }];
      const asked = {
        websites,
        from: date,
        to: date,
        test: false,
        eventTypes: [],
        groupBy: ["date" as const],
      };
      const { report, ofSurfaces } = await readReportBySurface(db, asked, ["overlay"]);
      return [report.totals.filtered, ...ofSurfaces.map(({ totals }) => totals.filtered)];
    },
  ],
];

test.each(readers)("%s is told as it was at one moment, whatever is recorded meanwhile", async (_, read) => {
  const books = await newCatalogue(tmpdir());
  onTestFinished(() => books.close());
  await makePublishers(books.db, [1]);
  const beside = openBeside(books.address, byTests);
  onTestFinished(() => beside.close());
  let isFirst = true;
  const disturbed = books.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isFirst) {
        isFirst = false;
        await recordOne(beside.db);
      }
      return result;
    },
  });
  expect(await read(disturbed)).toEqual([0, 0]);
  expect(await read(books.db)).toEqual([1, 1]);
});

/** One event that is kept nowhere else, as the books have it. */
const recordOne = async (db: Kysely<Schema>): Promise<void> => {
  const place = { website_id: 1, country: "DE", vertical: "news", surface: "overlay", test: 0 } as const;
  const { id: cell } = await db
    .insertInto("cell")
    .values({ ...place, region: "", currency: "", device: 0 })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("unkept_event")
    .values({ cell, hour: hourNumber(from), offer: 1, placement: 0, events: 1 })
    .execute();
  const none = { blocked: 0, served: 0, drawn: 0, impressions: 0, clicks: 0, billable_clicks: 0 };
  await db
    .insertInto("counter")
    .values({
      ...{ ...place, currency: "", day: dayNumber(from) },
      ...{ ...none, filtered: 1, spend_micros: 0, earned_micros: 0 },
    })
    .execute();
  await fillSums(db);
};

test("within a transaction it reads what that one has written", async () => {
  await catalogue.transact(async (tx) => {
    await tx.updateTable("catalogue_version").set({ version: 70 }).execute();
    expect(await atOneMoment(tx, (joined) => readingOf({ db: joined }).version())).toBe(70);
  });
});

test.each([
  ["Orchard", "ORCH", true],
  ["Orchard", "chard", true],
  ["Orchard", "orb", false],
  ["100 %", "0 %", true],
  ["1000", "0 %", false],
  ["a_b", "A_B", true],
  ["axb", "a_b", false],
  ["a\\b", "\\", true],
  ["ab", "\\", false],
  // Of no other letters it is known which belong together.
  ["Ökonomie", "Öko", true],
  ["Ökonomie", "öko", false],
])("%j has the part %j: %s", async (whole, part, expected) => {
  const { rows } = await sql<{ has: unknown }>`
    select ${hasPart(catalogue.db, sql<string>`cast(${whole} as text) ${sql.raw(catalogue.address.engine === "postgres" ? 'collate "C"' : "")}`, part)} as has`.execute(
    catalogue.db,
  );
  expect(Boolean(rows[0]?.has)).toBe(expected);
});

test("values of a list are compared as what they are", async () => {
  await createPublisher(catalogue, { name: "A" }, { now: 5 });
  const { rows } = await sql<{ name: string }>`
    with asked (at, called) as (values (${whole(5)}, ${text("A")}), (${whole(6)}, ${text("A")}))
    select name from asked join publisher on created_at = at and name = called`.execute(catalogue.db);
  expect(rows).toEqual([{ name: "A" }]);
});
