import type { ReportDimension } from "@offers/contract/reports";
import type { ReportFilter } from "../../core/report-filter.ts";

/** Where a report is read from. */
export type ReportSource = {
  table: "counter" | "counter_day" | "counter_publisher";
  /**
   * Whether the table's own order is that of the report and every row of it is asked for by itself: what differs in
   * nothing that the report tells apart then lies side by side, and nothing needs to be grouped or sorted.
   */
  isInOrder: boolean;
};

/** About as many as the countries that visitors come from: up to here, sums by website are fewer than by country. */
const fewWebsites = 30;

/**
 * The cheapest table that holds a report.
 * @param ofWholePublisher whether the report is about all websites of one publisher.
 */
export function reportSource(
  filter: Pick<ReportFilter, "websites" | "country" | "groupBy">,
  ofWholePublisher: boolean,
): ReportSource {
  const asks = (...names: ReportDimension[]): boolean => names.every((name) => filter.groupBy.includes(name));
  const isOneWebsite = filter.websites.length === 1;
  const overCountries = filter.country === undefined && !asks("country");
  const overWebsites = ofWholePublisher && !isOneWebsite && !asks("websiteKey");
  if (overCountries && !(overWebsites && filter.websites.length > fewWebsites)) {
    return { table: "counter_day", isInOrder: isOneWebsite && asks("date", "vertical") };
  }
  return {
    table: overWebsites ? "counter_publisher" : "counter",
    isInOrder: (overWebsites || isOneWebsite) && asks("date", "country", "vertical"),
  };
}
