import type { Surface } from "@offers/contract/words";
import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type FigureColumn,
  figureColumns,
  figureOfType,
  figures,
  isMoney,
  type MoneyColumn,
} from "../../core/figures.ts";
import {
  addTo,
  currencyRows,
  type InCurrency,
  type ReportTotals,
  totalsOf,
} from "../../core/report-currencies.ts";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { CounterTable, Schema } from "../schema.ts";
import { readDetailRows } from "./detail-rows.ts";
import { exactly, wholeRead } from "./exact-column.ts";
import {
  askedColumns,
  askedOfCounters,
  narrowedByCounters,
  needsDetail,
  type Place,
} from "./report-dimensions.ts";
import { type ReportSource, reportSource } from "./report-source.ts";

/** A row of a report as the tables name things; what the report does not tell apart is absent. */
export type SummedRow = InCurrency & Place;

/** Rows by the dimensions in their order and by currency, without those in which everything is 0. */
export type Report = {
  rows: readonly SummedRow[];
  totals: ReportTotals;
  totalsByCurrency: readonly InCurrency[];
  /** Whether its publisher may be told what advertisers pay; the operator always is. */
  isSpendShown: boolean;
};

/**
 * Adds up counters, or the lines of hours where the counters do not tell apart what is asked for, all of them at one moment;
 * the totals are the sums of the very rows that are returned. Facts are never read.
 */
export async function readReport(db: Kysely<Schema>, filter: ReportFilter): Promise<Report> {
  const [website] = filter.websites;
  // Whoever has no website may be one who is not told, and nothing was paid.
  if (website === undefined) return { ...summedUp([], filter), isSpendShown: false };
  return await atOneMoment(db, async (tx) => {
    const publisher = await publisherOf(tx, website.id, filter);
    const { isSpendShown } = publisher;
    if (needsDetail(filter)) return { ...summedUp(await readDetailRows(tx, filter), filter), isSpendShown };
    const source = reportSource(filter, publisher.isWhole);
    const read = await rowsOf(tx, { filter, source, publisher });
    return { ...summedUp(read.map(summedRow), filter), isSpendShown };
  });
}

/** A report, and the same one of each of these surfaces, all of one moment. */
export function readReportBySurface(
  db: Kysely<Schema>,
  filter: ReportFilter,
  surfaces: readonly Surface[],
): Promise<{ report: Report; ofSurfaces: Report[] }> {
  return atOneMoment(db, async (tx) => {
    const report = await readReport(tx, filter);
    const ofSurfaces: Report[] = [];
    for (const surface of surfaces) ofSurfaces.push(await readReport(tx, { ...filter, surface }));
    return { report, ofSurfaces };
  });
}

/** The figures that may pass what a number holds exactly, and the others. */
const moneys = figureColumns.filter(isMoney);
const counts = figureColumns.filter((column) => !isMoney(column));

type ReadRow = Record<Exclude<FigureColumn, MoneyColumn>, number> &
  Record<MoneyColumn, number | string> &
  Place &
  Pick<CounterTable, "currency">;

const summedRow = (row: ReadRow): SummedRow =>
  Object.assign(row, {
    spend_micros: wholeRead(row.spend_micros),
    earned_micros: wholeRead(row.earned_micros),
  });

/** Whose the websites are, and whether they are all that it has. */
type Publisher = { id: string; number: number; isWhole: boolean; isSpendShown: boolean };

const publisherOf = async (
  db: Kysely<Schema>,
  websiteId: number,
  { websites }: ReportFilter,
): Promise<Publisher> => {
  const { id, number, count, shows_spend } = await db
    .selectFrom("publisher")
    .innerJoin("website", "website.publisher_id", "publisher.id")
    .where("website.id", "=", websiteId)
    .select((eb) => [
      "publisher.id",
      "publisher.number",
      "publisher.shows_spend",
      eb
        .selectFrom("website as own")
        .whereRef("own.publisher_id", "=", "publisher.id")
        .select((all) => all.fn.countAll<number>().as("count"))
        .as("count"),
    ])
    .executeTakeFirstOrThrow();
  return { id, number, isWhole: count === websites.length, isSpendShown: shows_spend === 1 };
};

const rowsOf = (
  db: Kysely<Schema>,
  { filter, source, publisher }: { filter: ReportFilter; source: ReportSource; publisher: Publisher },
): Promise<ReadRow[]> => {
  const asked = askedOfCounters(filter);
  const columns = [...asked, "currency" as const];
  const rowsFrom = (table: RawBuilder<CounterTable>, websites: Expression<SqlBool>) => {
    let rows = db
      .selectFrom(table.as("counted"))
      .select(columns)
      .where(websites)
      .where("day", ">=", dayNumber(Date.parse(filter.from)))
      .where("day", "<=", dayNumber(Date.parse(filter.to)))
      .where("test", "=", filter.test ? 1 : 0);
    for (const name of narrowedByCounters) {
      const asked = filter[name];
      if (asked !== undefined) rows = rows.where(name, "=", asked);
    }
    if (source.isInOrder) {
      return rows.select(counts).select((eb) => moneys.map((money) => exactly(db, eb.ref(money)).as(money)));
    }
    return rows
      .select((eb) => counts.map((column) => eb.fn.sum<number>(column).as(column)))
      .select((eb) => moneys.map((money) => exactly(db, eb.fn.sum(money)).as(money)))
      .groupBy(columns);
  };
  const ofWebsites = withinWebsites(filter, publisher);
  const ofSource =
    source.table === "counter_publisher" ? sql<SqlBool>`publisher = ${publisher.number}` : ofWebsites;
  // The three tables differ in their keys alone, and no column is named here that the chosen one lacks.
  let rows = rowsFrom(sql`${sql.table(source.table)}`, ofSource).unionAll(rowsFrom(waiting, ofWebsites));
  for (const column of asked) {
    // One website is no order, and within a union it would be taken for one, and sorted by.
    if (column !== "website_id" || filter.websites.length > 1) rows = rows.orderBy(column);
  }
  return rows.execute();
};

/** What is not in the tables yet, with the columns of a counter; read by the few deltas, each with its own cell. */
const waiting = sql<CounterTable>`(
  select cell.*, ${sql.join(["day", ...figureColumns].map((column) => sql.ref(`counter_delta.${column}`)))}
  from counter_delta cross join cell where cell.id = counter_delta.cell)`;

const withinWebsites = ({ websites }: ReportFilter, publisher: Publisher): Expression<SqlBool> => {
  if (websites.length > 1 && publisher.isWhole) {
    return sql<SqlBool>`website_id in (select id from website where publisher_id = ${publisher.id})`;
  }
  // As literals: tens of thousands of websites are more than a statement takes as parameters.
  return sql<SqlBool>`website_id in (${sql.join(websites.map(({ id }) => sql.lit(id)))})`;
};

/** Makes rows of what lies side by side and is told apart by nothing that was asked for. */
const summedUp = (read: readonly SummedRow[], filter: ReportFilter): Omit<Report, "isSpendShown"> => {
  const asked = filter.eventTypes.map((type) => figureOfType[type]);
  const counted = figures.filter(({ name }) => asked.length === 0 || asked.some((figure) => figure === name));
  const rows: SummedRow[] = [];
  const finish = (place: readonly SummedRow[]): void => {
    for (const row of currencyRows(place)) {
      if (counted.some(({ column }) => row[column] > 0)) rows.push(row);
    }
  };
  const columns = askedColumns(filter);
  // From the last, which differs most often.
  const isSamePlace = (one: SummedRow, other: SummedRow): boolean =>
    columns.findLastIndex((column) => one[column] !== other[column]) === -1;
  let place: SummedRow[] = [];
  for (const next of read) {
    if (place[0] !== undefined && !isSamePlace(place[0], next)) {
      finish(place);
      place = [];
    }
    const same = place.find(({ currency }) => currency === next.currency);
    if (same === undefined) place.push(next);
    else addTo(same, next);
  }
  finish(place);
  return { rows, ...totalsOf(rows) };
};
