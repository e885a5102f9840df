import { type ReportAnswer, reportDimensions } from "@offers/contract/reports";
import { csvLine } from "../../core/csv-cell.ts";
import type { Report, ReportFilter } from "./report.ts";

export type ReportFormat = "json" | "csv";

const figures = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billableClicks",
  "spend",
  "filtered",
] as const;

/** A report as it is sent, in UTF-8. CSV holds the rows alone, with a header. */
export function reportText(
  { items, totals }: Report,
  { from, to, groupBy }: Pick<ReportFilter, "from" | "to" | "groupBy">,
  format: ReportFormat,
): Uint8Array<ArrayBuffer> {
  if (format === "json") return bytesOf(JSON.stringify({ items, from, to, totals } satisfies ReportAnswer));
  const dimensions = reportDimensions.filter((name) => groupBy.includes(name));
  let text = csvLine([...dimensions, ...figures]);
  for (const row of items) {
    text += csvLine([...dimensions.map((name) => row[name] ?? ""), ...figures.map((name) => row[name])]);
  }
  return bytesOf(text);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
