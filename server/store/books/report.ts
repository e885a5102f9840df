import type { Surface } from "@offers/contract/words";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import {
  byColumn,
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
  inOrderOf,
  narrowedByCounters,
  needsDetail,
  type Place,
} from "./report-dimensions.ts";
import { type ReportSource, reportSource } from "./report-source.ts";
import { linesMost, TooManyRows } from "./too-many-rows.ts";
import { type ReadCells, readWaitingSums, startReadCells } from "./waiting-sums.ts";

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
 * the totals are the sums of the very rows that are returned. Facts are never read. Throws TooManyRows before it has read
 * many more than that.
 * @param known what earlier reports of the same database have read.
 */
export async function readReport(
  db: Kysely<Schema>,
  filter: ReportFilter,
  known?: ReadCells,
): Promise<Report> {
  const [website] = filter.websites;
  // Whoever has no website may be one who is not told, and nothing was paid.
  if (website === undefined) return { ...summedUp([], filter), isSpendShown: false };
  return await atOneMoment(db, async (tx) => {
    const publisher = await publisherOf(tx, website.id, filter);
    const { isSpendShown } = publisher;
    const { mostRows = Infinity } = filter;
    const whole = (lines: readonly SummedRow[]): Report => {
      const summed = summedUp(lines, filter);
      if (summed.rows.length > mostRows) throw new TooManyRows();
      return { ...summed, isSpendShown };
    };
    if (needsDetail(filter)) return whole(await readDetailRows(tx, filter));
    const source = reportSource(filter, publisher.isWhole);
    const read = await rowsOf(tx, { filter, source, publisher });
    if (read.length > linesMost(mostRows)) throw new TooManyRows();
    const rows = read.map(summedRow);
    const waiting = await waitingRows(tx, filter, known);
    // Those that were read are in their order already, which makes it a merge.
    const inOrder = waiting.length === 0 ? rows : [...rows, ...waiting].sort(inOrderOf(askedColumns(filter)));
    return whole(inOrder);
  });
}

/** A report, and the same one of each of these surfaces, all of one moment. */
export function readReportBySurface(
  db: Kysely<Schema>,
  filter: ReportFilter,
  surfaces: readonly Surface[],
): Promise<{ report: Report; ofSurfaces: Report[] }> {
  const known = startReadCells();
  return atOneMoment(db, async (tx) => {
    const report = await readReport(tx, filter, known);
    const ofSurfaces: Report[] = [];
    for (const surface of surfaces) ofSurfaces.push(await readReport(tx, { ...filter, surface }, known));
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
  const { firstDay, lastDay } = daysOf(filter);
  const ofSource =
    source.table === "counter_publisher"
      ? sql<SqlBool>`publisher = ${publisher.number}`
      : withinWebsites(filter, publisher);
  // The three tables differ in their keys alone, and no column is named here that the chosen one lacks.
  let rows = db
    .selectFrom(sql<CounterTable>`${sql.table(source.table)}`.as("counted"))
    .select(columns)
    .where(ofSource)
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("test", "=", filter.test ? 1 : 0);
  for (const name of narrowedByCounters) {
    const asked = filter[name];
    if (asked !== undefined) rows = rows.where(name, "=", asked);
  }
  // One website is no order, and would be sorted by.
  for (const column of asked) {
    if (column !== "website_id" || filter.websites.length > 1) rows = rows.orderBy(column);
  }
  // One more than there may be shows that there are too many.
  if (filter.mostRows !== undefined) rows = rows.limit(linesMost(filter.mostRows) + 1);
  if (source.isInOrder) {
    return rows
      .select(counts)
      .select((eb) => moneys.map((money) => exactly(db, eb.ref(money)).as(money)))
      .execute();
  }
  return rows
    .select((eb) => counts.map((column) => eb.fn.sum<number>(column).as(column)))
    .select((eb) => moneys.map((money) => exactly(db, eb.fn.sum(money)).as(money)))
    .groupBy(columns)
    .execute();
};

/** What is not in the tables yet, one row for each currency of a place, in no order. */
const waitingRows = async (
  db: Kysely<Schema>,
  filter: ReportFilter,
  known?: ReadCells,
): Promise<SummedRow[]> => {
  const asked = askedOfCounters(filter);
  const ofTest = filter.test ? 1 : 0;
  const sums = await readWaitingSums(
    db,
    {
      ...daysOf(filter),
      websites: filter.websites,
      columns: [...asked.filter((column) => column !== "day"), "currency"],
      isAsked: (cell) =>
        cell.test === ofTest &&
        narrowedByCounters.every((name) => (filter[name] ?? cell[name]) === cell[name]),
    },
    known,
  );
  return sums.map(({ place: { currency, ...place }, day, figures }) => ({
    ...Object.fromEntries(asked.map((column) => [column, column === "day" ? day : place[column]])),
    ...byColumn(figures),
    currency,
  }));
};

const daysOf = ({ from, to }: ReportFilter) => ({
  firstDay: dayNumber(Date.parse(from)),
  lastDay: dayNumber(Date.parse(to)),
});

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
