import type { WebsiteKey } from "@offers/contract/ids";
import { type ReportDimension, reportDimensions } from "@offers/contract/reports";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dateOfDay } from "../../core/utc-day.ts";
import type { CounterTable, foreseenDimensions } from "../schema.ts";

/** What a report can be grouped by. */
type Dimension = {
  /** No foreseen one: it would answer with one row of nothing. */
  column: Exclude<keyof CounterTable, keyof typeof foreseenDimensions>;
  /** How a value of the column is said on the wire. */
  text: (value: string | number, keys: ReadonlyMap<string | number, WebsiteKey>) => string;
};

/** Every dimension with its column in the counters, in the order of a report's rows: a dimension more is a line here. */
export const dimensions = {
  date: { column: "day", text: (day) => dateOfDay(Number(day)) },
  websiteKey: { column: "website_id", text: (id, keys) => keys.get(id) ?? "" },
  country: { column: "country", text: String },
  vertical: { column: "vertical", text: String },
} as const satisfies Record<ReportDimension, Dimension>;

export type DimensionColumn = (typeof dimensions)[ReportDimension]["column"];

/** The dimensions that a report is grouped by, in the order of its rows' members. */
export function askedDimensions({ groupBy }: Pick<ReportFilter, "groupBy">): ReportDimension[] {
  return reportDimensions.filter((name) => groupBy.includes(name));
}

/** Their columns, by which the rows are sorted. */
export function askedColumns(filter: Pick<ReportFilter, "groupBy">): DimensionColumn[] {
  return askedDimensions(filter).map((name) => dimensions[name].column);
}
