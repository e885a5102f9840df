import type { ReportDimension, ReportQuery } from "@offers/contract/reports";
import type { Row } from "./api.ts";
import { formatPlace, formatTableDay } from "./format.ts";

/** What rows can be told apart by, in the order of the table; those with `filters` can also be filtered by. */
export const dimensions = {
  date: { title: "Date", filters: false },
  hour: { title: "Hour", filters: false },
  websiteKey: { title: "Website", filters: true },
  country: { title: "Country", filters: true },
  region: { title: "Region", filters: true },
  vertical: { title: "Vertical", filters: true },
  offer: { title: "Offer", filters: true },
  brand: { title: "Brand", filters: true },
  placement: { title: "Placement", filters: true },
  device: { title: "Device", filters: true },
} as const satisfies {
  [Name in ReportDimension]: { title: string; filters: Name extends keyof ReportQuery ? true : false };
};

/** Their names, in the order of the table. */
export const dimensionNames = Object.keys(dimensions) as ReportDimension[];

/** What is filtered by: the dimensions that allow it, and the part of the page, which no row tells. */
export const filterNames = [...dimensionNames.filter((name) => dimensions[name].filters), "surface"] as const;

const usual = ["date"] as const satisfies readonly ReportDimension[];

/** The dimensions that an address names, in the order of the table; by day where it names none that exists. */
export function readGrouping(text: string | undefined): readonly ReportDimension[] {
  const named = new Set(text?.split(","));
  const meant = dimensionNames.filter((name) => named.has(name));
  return meant.length > 0 ? meant : usual;
}

/** A grouping with one dimension more or less: a table of none would be its totals alone. */
export function toggled(grouping: readonly ReportDimension[], name: ReportDimension): string {
  const is = new Set(grouping);
  if (!is.delete(name)) is.add(name);
  return dimensionNames.filter((other) => is.has(other)).join(",");
}

/** How a row's value of a dimension is called. */
export function dimensionText(
  name: ReportDimension,
  value: string | number | null | undefined,
  websiteNames: ReadonlyMap<string, string>,
): string {
  if (value === null || value === undefined || value === "") return "–";
  const text = String(value);
  if (name === "date") return formatTableDay(text);
  if (name === "hour") return `${text.padStart(2, "0")}:00`;
  if (name === "websiteKey") return websiteNames.get(text) ?? text;
  if (name === "country") return formatPlace(text);
  if (name === "region") return formatPlace(text.slice(0, 2), text);
  return text;
}

/** A row's own name among the others: a place has a row for each currency. */
export function rowKey(row: Row, grouping: readonly ReportDimension[]): string {
  return [...grouping.map((name) => row[name]), row.currency].join("|");
}
