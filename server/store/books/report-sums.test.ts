import { tmpdir } from "node:os";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import { type ReportDimension, type ReportRow, reportDimensions } from "@offers/contract/reports";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { CounterTable, Schema } from "../schema.ts";
import { recountSums } from "./recount-sums.ts";
import { type ReportFilter, readReport } from "./report.ts";

const websites = [
  { id: 1, key: websiteKey.parse("ws_a") },
  { id: 2, key: websiteKey.parse("ws_b") },
];

describe("the sums behind a report", () => {
  it("equal a plain sum over the counters, whatever the range, filter and grouping", async () => {
    const catalogue = await newCatalogue(tmpdir());
    onTestFinished(() => catalogue.close());
    const { db } = catalogue;
    const anyDay = fc.integer({ min: 0, max: 120 }).map((days) => dayAt("2026-08-20", days));
    const day = fc.oneof(fc.constantFrom("2026-09-01", "2026-09-30", "2026-10-31", "2026-12-01"), anyDay);
    const place = {
      country: fc.constantFrom("DE", "US"),
      vertical: fc.constantFrom("mobile", "energy"),
    };
    const figure = fc.integer({ min: 0, max: 5 });
    const cells = fc.record({
      // Few, so that many a counter is added to and not only written.
      day: fc.constantFrom("2026-08-31", "2026-09-01", "2026-09-30", "2026-10-15", "2026-12-18"),
      website_id: fc.constantFrom(1, 2, 3),
      ...place,
      surface: fc.constantFrom("overlay", "overlay", "section"),
      test: fc.constantFrom(0, 0, 0, 1),
      blocked: figure,
      served: figure,
      impressions: figure,
      clicks: figure,
      billable_clicks: figure,
      spend_micros: figure,
      filtered: figure,
    });
    const filters = fc.record(
      {
        from: day,
        to: day,
        groupBy: fc.subarray([...reportDimensions], { minLength: 1 }),
        test: fc.boolean(),
        surface: fc.constantFrom("overlay", "section"),
        ...place,
      },
      { requiredKeys: ["from", "to", "groupBy", "test"] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(cells, { minLength: 30, maxLength: 60, size: "max" }),
        fc.array(filters, { minLength: 8, maxLength: 8 }),
        async (rows, asks) => {
          await db.deleteFrom("counter").execute();
          const kept: CounterTable[] = [];
          for (const row of rows as CounterTable[]) {
            const twin = kept.find((one) => keyOf(one) === keyOf(row));
            if (twin === undefined) kept.push(row);
            await addUp(db, row);
            if (twin !== undefined) for (const name of names) twin[name] += row[name];
          }
          for (const ask of asks) {
            const [from, to] = [ask.from, ask.to].sort() as [string, string];
            const filter = {
              websites,
              eventTypes: [],
              ...(ask as Omit<ReportFilter, "websites" | "eventTypes">),
              from,
              to,
            };
            const report = await readReport(db, filter);
            expect(report.items).toEqual(plainSum(kept, filter));
          }
          expect(await recountSums(db)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("are found out when they are not", async () => {
    const catalogue = await newCatalogue(tmpdir());
    onTestFinished(() => catalogue.close());
    const { db } = catalogue;
    const zero = Object.fromEntries(names.map((name) => [name, 0])) as Record<(typeof names)[number], number>;
    const cell = {
      day: "2026-11-20",
      website_id: 1,
      country: "DE",
      vertical: "news",
      surface: "overlay" as const,
    };
    await addUp(db, { ...cell, test: 0, ...zero, blocked: 3 });
    await db.updateTable("counter_month").set({ blocked: 4 }).execute();
    await db.deleteFrom("counter_day").execute();
    expect(await recountSums(db)).toMatchObject([
      { day: "2026-11-20", country: "all", count: "blocked", recorded: 0, recounted: 3 },
      { day: "2026-11", country: "DE", count: "blocked", recorded: 4, recounted: 3 },
    ]);
  });
});

const names = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billable_clicks",
  "spend_micros",
  "filtered",
] as const;
const dayAt = (first: string, days: number) =>
  new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
const keyOf = (row: CounterTable) =>
  [row.day, row.website_id, row.country, row.vertical, row.surface, row.test].join();

/** As the ledger does it: insert, or add to what is there. */
const addUp = (db: Kysely<Schema>, row: CounterTable) =>
  db
    .insertInto("counter")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["website_id", "day", "country", "vertical", "surface", "test"])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            names.map((name) => [name, eb(`counter.${name}`, "+", eb.ref(`excluded.${name}`))]),
          ),
        ),
    )
    .execute();

const plainSum = (cells: readonly CounterTable[], filter: ReportFilter): ReportRow[] => {
  const keys = new Map<number, WebsiteKey>(filter.websites.map(({ id, key }) => [id, key]));
  const rows = new Map<string, { order: string; row: ReportRow }>();
  for (const cell of cells) {
    if (!keys.has(cell.website_id) || cell.day < filter.from || cell.day > filter.to) continue;
    if ((cell.test === 1) !== filter.test) continue;
    if (filter.country !== undefined && cell.country !== filter.country) continue;
    if (filter.vertical !== undefined && cell.vertical !== filter.vertical) continue;
    if (filter.surface !== undefined && cell.surface !== filter.surface) continue;
    const has = (name: ReportDimension) => filter.groupBy.includes(name);
    const dimensions = {
      ...(has("date") && { date: cell.day }),
      ...(has("websiteKey") && { websiteKey: keys.get(cell.website_id) }),
      ...(has("country") && { country: cell.country }),
      ...(has("vertical") && { vertical: cell.vertical }),
    };
    const order = Object.values(dimensions).join("|");
    const known = rows.get(order)?.row;
    const row: ReportRow = known ?? {
      ...dimensions,
      blocked: 0,
      served: 0,
      impressions: 0,
      clicks: 0,
      billableClicks: 0,
      spend: 0,
      filtered: 0,
    };
    row.blocked += cell.blocked;
    row.served += cell.served;
    row.impressions += cell.impressions;
    row.clicks += cell.clicks;
    row.billableClicks += cell.billable_clicks;
    row.spend += cell.spend_micros;
    row.filtered += cell.filtered;
    rows.set(order, { order, row });
  }
  const figuresOf = ({ blocked, served, impressions, clicks, billableClicks, spend, filtered }: ReportRow) =>
    blocked + served + impressions + clicks + billableClicks + spend + filtered;
  return [...rows.values()]
    .filter(({ row }) => figuresOf(row) > 0)
    .sort((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ row }) => row);
};
