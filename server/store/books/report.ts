import type { WebsiteKey } from "@offers/contract/ids";
import type { ReportAnswer, ReportDimension, ReportRow } from "@offers/contract/reports";
import type { CountedType, Surface } from "@offers/contract/words";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { type CounterPart, counterParts } from "./counter-parts.ts";

/** What a report is about. Whoever asks has checked that these websites are theirs to see. */
export type ReportFilter = {
  websites: readonly { id: number; key: WebsiteKey }[];
  /** UTC dates, both included. */
  from: string;
  to: string;
  country?: string | undefined;
  vertical?: string | undefined;
  surface?: Surface | undefined;
  /** Traffic of development websites instead of everybody else's. */
  test: boolean;
  /** Rows in which any of these is above 0; none: all rows. */
  eventTypes: readonly CountedType[];
  groupBy: readonly ReportDimension[];
};

/** Rows by date, website, country and vertical in this order, without those in which everything is 0. */
export type Report = Pick<ReportAnswer, "items" | "totals">;

const figures = {
  blocked: "blocked",
  served: "served",
  impressions: "impressions",
  clicks: "clicks",
  billableClicks: "billable_clicks",
  spend: "spend_micros",
  filtered: "filtered",
} as const;
const figureNames = Object.keys(figures) as (keyof typeof figures)[];

const figureOfType = {
  blocked: "blocked",
  served: "served",
  impression: "impressions",
  click: "clicks",
} as const satisfies Record<CountedType, string>;

const columnOf = {
  date: "day",
  websiteKey: "website_id",
  country: "country",
  vertical: "vertical",
} as const satisfies Record<ReportDimension, string>;

/** Adds up counters; the totals are the sums of the very rows that are returned. Events are never scanned. */
export async function readReport(db: Kysely<Schema>, filter: ReportFilter): Promise<Report> {
  const dimensions = (Object.keys(columnOf) as ReportDimension[]).filter((name) =>
    filter.groupBy.includes(name),
  );
  const [first, ...others] = counterParts(filter);
  const keys = new Map(filter.websites.map(({ id, key }) => [id, key]));
  if (first === undefined || keys.size === 0) return { items: [], totals: sumOf([]) };
  let cells = cellsOf(db, first, filter);
  for (const part of others) cells = cells.unionAll(cellsOf(db, part, filter));

  const columns = dimensions.map((name) => columnOf[name]);
  const above0 =
    filter.eventTypes.length > 0
      ? filter.eventTypes.map((type) => figureOfType[type])
      : Object.values(figures);
  let grouped = db
    .selectFrom(cells.as("cell"))
    .select(columns)
    .select((eb) => figureNames.map((name) => eb.fn.sum<number>(figures[name]).as(name)))
    .groupBy(columns)
    .having((eb) => eb.or(above0.map((column): Expression<SqlBool> => eb(eb.fn.sum(column), ">", 0))));
  for (const column of columns) grouped = grouped.orderBy(column);
  const rows = await grouped.execute();

  const items = rows.map((row): ReportRow => {
    const { day, website_id: website, country, vertical, ...sums } = row;
    return {
      ...(day !== undefined && { date: day }),
      ...(website !== undefined && { websiteKey: keys.get(website) }),
      ...(country !== undefined && { country }),
      ...(vertical !== undefined && { vertical }),
      ...sums,
    };
  });
  return { items, totals: sumOf(items) };
}

/** The cells of one table within the filter, in the one shape that a union needs. */
const cellsOf = (db: Kysely<Schema>, part: CounterPart, filter: ReportFilter) => {
  const day = part.table === "counter_month" ? sql<string>`''` : sql.ref<string>("day");
  const country = part.table === "counter_day" ? sql<string>`''` : sql.ref<string>("country");
  const within = part.table === "counter_month" ? "month" : "day";
  let cells = db
    .selectFrom(sql<Schema["counter"]>`${sql.table(part.table)}`.as("part"))
    .select([day.as("day"), country.as("country"), "website_id", "vertical"])
    .select(Object.values(figures))
    .where(
      "website_id",
      "in",
      filter.websites.map(({ id }) => id),
    )
    .where("test", "=", filter.test ? 1 : 0)
    .where(
      part.days === null
        ? sql<SqlBool>`${sql.ref(within)} between ${part.from} and ${part.to}`
        : sql<SqlBool>`day in (${sql.join(part.days)})`,
    );
  if (filter.country !== undefined) cells = cells.where("country", "=", filter.country);
  if (filter.vertical !== undefined) cells = cells.where("vertical", "=", filter.vertical);
  if (filter.surface !== undefined) cells = cells.where("surface", "=", filter.surface);
  return cells;
};

const sumOf = (rows: readonly ReportRow[]): Report["totals"] => {
  const totals = {
    blocked: 0,
    served: 0,
    impressions: 0,
    clicks: 0,
    billableClicks: 0,
    spend: 0,
    filtered: 0,
  };
  for (const row of rows) for (const name of figureNames) totals[name] += row[name];
  return totals;
};
