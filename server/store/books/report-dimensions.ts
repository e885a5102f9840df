import type { WebsiteKey } from "@offers/contract/ids";
import { type ReportDimension, reportDimensions } from "@offers/contract/reports";
import type { Narrowing, ReportFilter } from "../../core/report-filter.ts";
import { dateOfDay } from "../../core/utc-day.ts";
import { type CounterTable, counterKeys } from "../schema.ts";

type CounterColumn = (typeof counterKeys.counter)[number];

/** What only the lines of the hours tell apart (detail-rows.ts). */
type Detail = {
  hour: number;
  region: string;
  offer: string;
  brand: string;
  placement: string;
  device: string;
};

/** What a report can be grouped by. */
type Dimension = {
  column: CounterColumn | keyof Detail;
  /** What a value of the column is on the wire. */
  value: (value: string | number, keys: ReadonlyMap<string | number, WebsiteKey>) => string | number | null;
};

const orNull = (value: string | number): string | number | null => (value === "" ? null : value);

/** Every dimension with its column, in the order of a report's rows: a dimension more is a line here. */
export const dimensions = {
  date: { column: "day", value: (day) => dateOfDay(Number(day)) },
  hour: { column: "hour", value: (hour) => hour },
  websiteKey: { column: "website_id", value: (id, keys) => keys.get(id) ?? "" },
  country: { column: "country", value: String },
  region: { column: "region", value: orNull },
  vertical: { column: "vertical", value: String },
  offer: { column: "offer", value: orNull },
  brand: { column: "brand", value: orNull },
  placement: { column: "placement", value: orNull },
  device: { column: "device", value: orNull },
} as const satisfies Record<ReportDimension, Dimension>;

export type DimensionColumn = (typeof dimensions)[ReportDimension]["column"];
/** Those that the counters tell apart. */
export type CounterDimension = Extract<DimensionColumn, keyof CounterTable>;

/** What a row of a report has of the columns: numbers and texts, `""` where there is none. */
export type Place = Partial<Pick<CounterTable, CounterDimension> & Detail>;

/** The dimensions that a report is grouped by, in the order of its rows' members. */
export function askedDimensions({ groupBy }: Pick<ReportFilter, "groupBy">): ReportDimension[] {
  return reportDimensions.filter((name) => groupBy.includes(name));
}

/** Their columns, by which the rows are sorted. */
export function askedColumns(filter: Pick<ReportFilter, "groupBy">): DimensionColumn[] {
  return askedDimensions(filter).map((name) => dimensions[name].column);
}

/** Compares rows of a report by its columns, in their order. */
export function inOrderOf(columns: readonly DimensionColumn[]): (one: Place, other: Place) => number {
  return (one, other) => {
    const column = columns.find((name) => one[name] !== other[name]);
    if (column === undefined) return 0;
    return (one[column] ?? 0) < (other[column] ?? 0) ? -1 : 1;
  };
}

/** Those of them that the counters have. */
export function askedOfCounters(filter: Pick<ReportFilter, "groupBy">): CounterDimension[] {
  return askedColumns(filter).filter(isOfCounters);
}

/** Whether the counters do not hold a report: it names what they do not tell apart, or days that are not UTC's. */
export function needsDetail(filter: ReportFilter): boolean {
  const { websites: _, from, to, utcOffset = 0, test, eventTypes, groupBy, mostRows, ...narrowing } = filter;
  return (
    utcOffset !== 0 ||
    Object.entries(narrowing).some(([name, asked]) => asked !== undefined && !isNarrowedByCounters(name)) ||
    !askedColumns(filter).every(isOfCounters)
  );
}

/** Whatever else a report is narrowed to is read from the lines of the hours. */
export const narrowedByCounters = [
  "country",
  "vertical",
  "surface",
] as const satisfies readonly (keyof Narrowing & keyof CounterTable)[];

const isNarrowedByCounters = (name: string): boolean => narrowedByCounters.some((known) => known === name);

const isOfCounters = (column: DimensionColumn): column is CounterDimension =>
  counterKeys.counter.some((known) => known === column);
