import type { ReportFilter } from "../../core/report-filter.ts";
import { type CounterTable, counterKeys } from "../schema.ts";
import { askedOfCounters } from "./report-dimensions.ts";

/** Where a report is read from. */
export type ReportSource = {
  table: keyof typeof counterKeys;
  /**
   * Whether the table's own order is that of the report, and next to every row of it is asked for by itself: what the
   * report does not tell apart then lies side by side, and nothing needs to be grouped or sorted.
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
  const isOneWebsite = filter.websites.length === 1;
  const asked: (keyof CounterTable)[] = askedOfCounters(filter);
  const needed = filter.country === undefined ? asked : [...asked, "country" as const];
  const holds = (table: ReportSource["table"]): boolean => {
    const key: readonly string[] = counterKeys[table];
    return needed.every((column) => key.includes(column));
  };
  const overWebsites = ofWholePublisher && !isOneWebsite && holds("counter_publisher");
  const table =
    holds("counter_day") && !(overWebsites && filter.websites.length > fewWebsites)
      ? "counter_day"
      : overWebsites
        ? "counter_publisher"
        : "counter";
  const isOfOneKey = isOneWebsite || table === "counter_publisher";
  return { table, isInOrder: isOfOneKey && isFinePrefix(table, asked) };
}

/** Whether the columns are how a table's rows of one website, or publisher, are sorted; after `vertical` little differs. */
const isFinePrefix = (table: ReportSource["table"], asked: readonly (keyof CounterTable)[]): boolean => {
  const sorted = counterKeys[table].slice(1);
  const within = asked.filter((column) => column !== "website_id");
  return asked.includes("vertical") && within.every((column, index) => column === sorted[index]);
};
