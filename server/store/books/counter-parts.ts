import type { ReportDimension } from "@offers/contract/reports";

/** A stretch of one counter table; `from` and `to`, both included, are dates, or months of `counter_month`. */
export type CounterPart = {
  table: "counter" | "counter_day" | "counter_month";
  from: string;
  to: string;
  /** The dates one by one, where that lets the index find each at once. */
  days: readonly string[] | null;
};

const dayMs = 86_400_000;

/**
 * The cheapest tables that hold a report: sums over the countries when those do not matter, sums by month for
 * the whole months when the day does not, and the counters themselves for what is left. No two parts overlap.
 */
export function counterParts(report: {
  from: string;
  to: string;
  country?: string | undefined;
  groupBy: readonly ReportDimension[];
}): CounterPart[] {
  const { from, to, groupBy } = report;
  if (report.country === undefined && !groupBy.includes("country")) {
    return [{ table: "counter_day", from, to, days: null }];
  }
  // The index goes by website, day, country: a country is found at once on each day, but not over a range of days.
  const counters = (first: string, last: string): CounterPart[] =>
    first > last
      ? []
      : [
          {
            table: "counter",
            from: first,
            to: last,
            days: report.country === undefined ? null : daysFrom(first, last),
          },
        ];
  if (groupBy.includes("date")) return counters(from, to);

  const firstMonth = from.endsWith("-01") ? monthOf(from) : monthAfter(from);
  const lastMonth = dayAfter(to).endsWith("-01") ? monthOf(to) : monthBefore(to);
  if (firstMonth > lastMonth) return counters(from, to);
  return [
    ...counters(from, dayBefore(`${firstMonth}-01`)),
    { table: "counter_month", from: firstMonth, to: lastMonth, days: null },
    ...counters(`${monthAfter(`${lastMonth}-01`)}-01`, to),
  ];
}

const monthOf = (day: string): string => day.slice(0, 7);
const dayAfter = (day: string): string => moved(day, 1);
const dayBefore = (day: string): string => moved(day, -1);
const monthBefore = (day: string): string => monthOf(dayBefore(`${monthOf(day)}-01`));
const monthAfter = (day: string): string => monthOf(moved(`${monthOf(day)}-01`, 31));

const moved = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

const daysFrom = (first: string, last: string): string[] => {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
};
