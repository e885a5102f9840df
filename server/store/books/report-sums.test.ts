import { tmpdir } from "node:os";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import {
  defaultGrouping,
  type ReportAnswer,
  type ReportDimension,
  type ReportRow,
} from "@offers/contract/reports";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { packLines } from "../../core/detail-lines.ts";
import { numbersOf, portionOf } from "../../core/detail-portions.ts";
import { type FigureColumn, type FigureName, figureColumns, figures, isMoney } from "../../core/figures.ts";
import type { ReportFilter } from "../../core/report-filter.ts";
import { earnedOf } from "../../core/revenue-share.ts";
import { dateOfDay, dayNumber } from "../../core/utc-day.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { isPostgres } from "../dialects.ts";
import type { CounterTable, Schema } from "../schema.ts";
import { fillSums, makePublishers } from "./counters-for-tests.ts";
import { reportText } from "./report-text.ts";

const firstDay = dayNumber(Date.parse("2026-08-20"));
const allWebsites = [1, 2, 3].map((id) => ({ id, key: websiteKey.parse(`ws_${id}`) }));

const place = { country: fc.constantFrom("DE", "US"), vertical: fc.constantFrom("mobile", "energy") };
const figure = fc.integer({ min: 0, max: 5 });
const free = { billable_clicks: fc.constant(0), spend_micros: fc.constant(0) };
/** Of each website, in basis points. */
const shareOf = [10_000, 3333, 0, 7000];
/** Counters of one publisher's websites and another's, whose offers have these currencies; `""` is what has no offer. */
const cellsOf = (currencies: readonly string[]): fc.Arbitrary<CounterTable> => {
  const counted = {
    // Few values, so that many rows are summed up.
    day: fc.constantFrom(0, 1, 30, 31, 100).map((days) => firstDay + days),
    website_id: fc.constantFrom(1, 2, 3, 4),
    ...place,
    surface: fc.constantFrom("overlay" as const, "section" as const),
    test: fc.constantFrom(0 as const, 0 as const, 1 as const),
    ...{ blocked: figure, served: figure, impressions: figure, clicks: figure, filtered: figure },
    drawn: figure,
  };
  const priced = { ...counted, currency: fc.constantFrom(...currencies) };
  return fc
    .oneof(
      // Sums of many of these are beyond what a number holds exactly.
      fc.record({ ...priced, billable_clicks: figure, spend_micros: fc.oneof(figure, fc.maxSafeNat()) }),
      fc.record({ ...priced, ...free }),
      fc.record({ ...counted, ...free, currency: fc.constant("") }),
    )
    .map((row) => ({ ...row, earned_micros: earnedOf(row.spend_micros, shareOf[row.website_id - 1] ?? 0) }));
};
const day = fc.integer({ min: -2, max: 110 }).map((days) => dateOfDay(firstDay + days));
const filters = fc
  .record(
    {
      // One, two of three, or all that the publisher has.
      websites: fc.constantFrom(allWebsites.slice(0, 1), allWebsites.slice(0, 2), allWebsites),
      days: fc.tuple(day, day),
      groupBy: fc.subarray([...defaultGrouping], { minLength: 1 }),
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

const freshDatabase = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  const { db } = catalogue;
  await makePublishers(db, [3, 1]);
  return db;
};

/** Tries reports over random counters, of which some still wait to be added to the tables. */
const tryReports = async (
  currencies: readonly string[],
  expectIt: (rows: readonly CounterTable[], filter: ReportFilter, answer: ExactAnswer) => void,
): Promise<void> => {
  const db = await freshDatabase();
  const keyOf = (row: CounterTable) =>
    [row.day, row.website_id, row.country, row.vertical, row.surface, row.test, row.currency].join();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(cellsOf(currencies), { selector: keyOf, minLength: 20, maxLength: 60, size: "max" }),
      fc.integer({ min: 0, max: 19 }),
      fc.array(filters, { minLength: 10, maxLength: 10 }),
      async (rows, waiting, asks) => {
        await db.deleteFrom("counter").execute();
        await db.insertInto("counter").values(rows.slice(waiting)).execute();
        await fillSums(db);
        await wait(db, rows.slice(0, waiting));
        for (const filter of asks) expectIt(rows, filter, await readExactly(db, filter));
      },
    ),
    { numRuns: 25 },
  );
};

/** What the writer has appended, or sorted, and not yet added to the counters. On PostgreSQL it has added all of it. */
const wait = async (db: Kysely<Schema>, rows: readonly CounterTable[]): Promise<void> => {
  if (isPostgres(db)) {
    if (rows.length > 0) await db.insertInto("counter").values(rows).execute();
    return await fillSums(db);
  }
  await db.deleteFrom("detail_delta").execute();
  await db.deleteFrom("cell").execute();
  if (rows.length === 0) return;
  const cells = rows.map(({ website_id, country, vertical, surface, test, currency }, index) => ({
    // A region of its own, since cells are of no day.
    ...{ id: index + 1, website_id, country, region: `R${index}`, vertical, surface, test, currency },
    device: 0,
  }));
  await db.insertInto("cell").values(cells).execute();
  const deltas = rows.map((row, index) => ({
    number: index % 2 === 0 ? index : numbersOf(portionOf(row.website_id)).from + index,
    hour: row.day * 24 + (index % 24),
    lines: packLines([
      { cell: index + 1, offer: index, placement: 1, figures: figureColumns.map((column) => row[column]) },
    ]),
  }));
  await db.insertInto("detail_delta").values(deltas).execute();
};

/** A report with its numbers as bigints: a reader whose numbers are doubles rounds. */
type Exact<Row> = { [Name in keyof Row]: Name extends FigureName ? bigint | null : Row[Name] };
type ExactRow = Exact<ReportRow>;
type ExactAnswer = {
  items: ExactRow[];
  totals: Exact<ReportAnswer["totals"]>;
  totalsByCurrency: Exact<ReportAnswer["totalsByCurrency"][number]>[];
};

const readExactly = async (db: Kysely<Schema>, filter: ReportFilter): Promise<ExactAnswer> => {
  const text = new TextDecoder().decode(await reportText(db, filter, "json"));
  const quoted = text.replaceAll(/:(\d+)(?=[,}])/g, ':"$1n"');
  return JSON.parse(quoted, (_, value: unknown) =>
    typeof value === "string" && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
};

it.each([
  ["one currency", ["EUR"]],
  ["two", ["EUR", "JPY"]],
  ["three, whose minor units differ", ["EUR", "JPY", "KWD"]],
])("a report equals a plain sum over the counters, whatever is asked for: %s", async (_, currencies) => {
  await tryReports(currencies, (rows, filter, { items }) => {
    expect(items).toEqual(plainRows(rows, filter));
  });
});

it("totals are the sums of the rows, of all and of each currency, and money is added up within one alone", async () => {
  await tryReports(["EUR", "JPY", "KWD"], (rows, filter, { items, totals, totalsByCurrency }) => {
    const paid = new Set(items.map(({ currency }) => currency).filter((currency) => currency !== null));
    for (const { name } of figures) {
      const sum = items.reduce((all, row) => all + (row[name] ?? 0n), 0n);
      expect(totals[name]).toBe(isMoney(columnOf[name]) && paid.size > 1 ? null : sum);
      const byCurrency = totalsByCurrency.map((one) => one[name] ?? 0n);
      expect(byCurrency.reduce((all, one) => all + one, 0n)).toBe(sum);
      for (const of of totalsByCurrency) {
        const own = items.filter(({ currency }) => currency === of.currency);
        expect(of[name]).toBe(own.reduce((all, row) => all + (row[name] ?? 0n), 0n));
      }
      // And of everything that was counted, which no split may double or lose.
      expect(sum).toBe(
        rows
          .filter((row) => isAsked(row, filter))
          .reduce((all, row) => all + BigInt(row[columnOf[name]]), 0n),
      );
    }
    expect(totalsByCurrency.map(({ currency }) => currency)).toEqual([
      ...[...paid].sort(),
      ...(items.some(({ currency }) => currency === null) ? [null] : []),
    ]);
    for (const { currency, spend } of items) expect(currency === null).toBe(spend === 0n);
  });
});

it("rows of one currency are what they were before there were several, but for its name", async () => {
  await tryReports(["KWD"], (rows, filter, { items }) => {
    expect(items.map(({ currency: _, ...row }) => row)).toEqual(
      plainSums(rows, filter).map(([place, sums]) => ({ ...place, ...sums })),
    );
    for (const { currency } of items) expect([null, "KWD"]).toContain(currency);
  });
});

const columnOf = Object.fromEntries(figures.map(({ name, column }) => [name, column])) as Record<
  FigureName,
  FigureColumn
>;

const isAsked = (row: CounterTable, filter: ReportFilter): boolean => {
  const date = dateOfDay(row.day);
  return (
    filter.websites.some(({ id }) => id === row.website_id) &&
    date >= filter.from &&
    date <= filter.to &&
    (row.test === 1) === filter.test &&
    (filter.country ?? row.country) === row.country &&
    (filter.vertical ?? row.vertical) === row.vertical &&
    (filter.surface ?? row.surface) === row.surface
  );
};

type Sums = Record<FigureName, bigint>;

/** Each place with its sums, whatever the currency, without those in which nothing is above 0. */
const plainSums = (rows: readonly CounterTable[], filter: ReportFilter): [Partial<ReportRow>, Sums][] => {
  const keys = new Map<number, WebsiteKey>(filter.websites.map(({ id, key }) => [id, key]));
  const summed = new Map<string, [Partial<ReportRow>, Sums]>();
  for (const row of rows) {
    if (!isAsked(row, filter)) continue;
    const has = (name: ReportDimension) => filter.groupBy.includes(name);
    const dimensions = {
      ...(has("date") && { date: dateOfDay(row.day) }),
      ...(has("websiteKey") && { websiteKey: keys.get(row.website_id) }),
      ...(has("country") && { country: row.country }),
      ...(has("vertical") && { vertical: row.vertical }),
    };
    const order = Object.values(dimensions).join("|");
    const [, sums] = summed.get(order) ?? [];
    const added = figures.map(({ name, column }) => [name, (sums?.[name] ?? 0n) + BigInt(row[column])]);
    summed.set(order, [dimensions, Object.fromEntries(added)]);
  }
  return [...summed]
    .filter(([, [, sums]]) => figures.some(({ name }) => sums[name] > 0n))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum);
};

/** The rows of each place: sums over what is paid in each of its currencies, and over the rest; or over all of it. */
const plainRows = (rows: readonly CounterTable[], filter: ReportFilter): ExactRow[] => {
  const samePlace = (place: Partial<ReportRow>, row: CounterTable): boolean => {
    const [alone] = plainSums([{ ...row, filtered: 1 }], filter);
    return JSON.stringify(alone?.[0]) === JSON.stringify(place);
  };
  return plainSums(rows, filter).flatMap(([place]): ExactRow[] => {
    const here = rows.filter((row) => isAsked(row, filter) && samePlace(place, row));
    const paid = new Set(here.filter(({ spend_micros }) => spend_micros > 0).map(({ currency }) => currency));
    const rowOf = (some: readonly CounterTable[], currency: string | null): ExactRow[] =>
      plainSums(some, filter).map(([, sums]) => ({ ...place, ...sums, currency }));
    if (paid.size < 2) return rowOf(here, [...paid][0] ?? null);
    const own = [...paid].sort().flatMap((code) =>
      rowOf(
        here.filter(({ currency }) => currency === code),
        code,
      ),
    );
    return [
      ...own,
      ...rowOf(
        here.filter(({ currency }) => !paid.has(currency)),
        null,
      ),
    ];
  });
};
