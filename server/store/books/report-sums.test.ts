import { tmpdir } from "node:os";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import {
  type ReportAnswer,
  type ReportDimension,
  type ReportRow,
  reportDimensions,
} from "@offers/contract/reports";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { figures } from "../../core/figures.ts";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dateOfDay, dayNumber } from "../../core/utc-day.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { CounterTable } from "../schema.ts";
import { fillSums, makePublishers } from "./counters-for-tests.ts";
import { reportText } from "./report-text.ts";

const firstDay = dayNumber(Date.parse("2026-08-20"));
const allWebsites = [1, 2, 3].map((id) => ({ id, key: websiteKey.parse(`ws_${id}`) }));

const place = { country: fc.constantFrom("DE", "US"), vertical: fc.constantFrom("mobile", "energy") };
const figure = fc.integer({ min: 0, max: 5 });
const cells: fc.Arbitrary<CounterTable> = fc.record({
  // Few values, so that many rows are summed up.
  day: fc.constantFrom(0, 1, 30, 31, 100).map((days) => firstDay + days),
  website_id: fc.constantFrom(1, 2, 3, 4),
  ...place,
  surface: fc.constantFrom("overlay" as const, "section" as const),
  test: fc.constantFrom(0 as const, 0 as const, 1 as const),
  currency: fc.constantFrom("EUR", "USD", ""),
  ...{ offer: fc.constant(0), brand: fc.constant(""), placement: fc.constant(0) },
  ...{ device: fc.constant(0), hour: fc.constant(0) },
  ...{ blocked: figure, served: figure, impressions: figure, clicks: figure },
  ...{ billable_clicks: figure, spend_micros: figure, filtered: figure },
});
const day = fc.integer({ min: -2, max: 110 }).map((days) => dateOfDay(firstDay + days));
const filters = fc
  .record(
    {
      // One, two of three, or all that the publisher has.
      websites: fc.constantFrom(allWebsites.slice(0, 1), allWebsites.slice(0, 2), allWebsites),
      days: fc.tuple(day, day),
      groupBy: fc.subarray([...reportDimensions], { minLength: 1 }),
      test: fc.boolean(),
      surface: fc.constantFrom("overlay" as const, "section" as const),
      ...place,
    },
    { requiredKeys: ["websites", "days", "groupBy", "test"] },
  )
  .map(({ days, ...filter }): ReportFilter => {
    const [from = "", to = ""] = days.toSorted();
    return { ...filter, from, to, eventTypes: [] };
  });

it("a report equals a plain sum over the counters, whatever the websites, range, filter and grouping", async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  const { db } = catalogue;
  await makePublishers(db, [3, 1]);
  const keyOf = (row: CounterTable) =>
    [row.day, row.website_id, row.country, row.vertical, row.surface, row.test, row.currency].join();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(cells, { selector: keyOf, minLength: 20, maxLength: 60, size: "max" }),
      fc.array(filters, { minLength: 10, maxLength: 10 }),
      async (rows, asks) => {
        await db.deleteFrom("counter").execute();
        await db.insertInto("counter").values(rows).execute();
        await fillSums(db);
        for (const filter of asks) {
          const text = new TextDecoder().decode(await reportText(db, filter, "json"));
          const { items, totals }: ReportAnswer = JSON.parse(text);
          expect(items).toEqual(plainSum(rows, filter));
          for (const { name } of figures) {
            expect(totals[name]).toBe(items.reduce((sum, row) => sum + row[name], 0));
          }
        }
      },
    ),
    { numRuns: 25 },
  );
});

const plainSum = (rows: readonly CounterTable[], filter: ReportFilter): ReportRow[] => {
  const keys = new Map<number, WebsiteKey>(filter.websites.map(({ id, key }) => [id, key]));
  const summed = new Map<string, ReportRow>();
  for (const row of rows) {
    const date = dateOfDay(row.day);
    if (!keys.has(row.website_id) || date < filter.from || date > filter.to) continue;
    if ((row.test === 1) !== filter.test) continue;
    if (filter.country !== undefined && row.country !== filter.country) continue;
    if (filter.vertical !== undefined && row.vertical !== filter.vertical) continue;
    if (filter.surface !== undefined && row.surface !== filter.surface) continue;
    const has = (name: ReportDimension) => filter.groupBy.includes(name);
    const dimensions = {
      ...(has("date") && { date }),
      ...(has("websiteKey") && { websiteKey: keys.get(row.website_id) }),
      ...(has("country") && { country: row.country }),
      ...(has("vertical") && { vertical: row.vertical }),
    };
    const order = Object.values(dimensions).join("|");
    const none = Object.fromEntries(figures.map(({ name }) => [name, 0])) as ReportAnswer["totals"];
    const sum = summed.get(order) ?? { ...dimensions, ...none };
    for (const { name, column } of figures) sum[name] += row[column];
    summed.set(order, sum);
  }
  return [...summed]
    .filter(([, row]) => figures.some(({ name }) => row[name] > 0))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
};
