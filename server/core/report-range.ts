import { reportDays } from "@offers/contract/words";
import { dayMs } from "./utc-day.ts";

export type ReportRange =
  | { ok: true; from: string; to: string }
  | { ok: false; parameter: "from" | "to"; message: string };

/**
 * The days of a report, both included, as UTC dates: the usual ones up to `today` unless the query says otherwise,
 * and no more than `reportDays`. The query's dates are calendar dates already; `today` is YYYY-MM-DD.
 */
export function reportRange(
  query: { from?: string | undefined; to?: string | undefined },
  today: string,
): ReportRange {
  const to = query.to ?? today;
  const from = query.from ?? daysBefore(to, reportDays.usual - 1);
  if (from > to) return { ok: false, parameter: "from", message: `must not be after to, which is ${to}` };
  if (from < daysBefore(to, reportDays.most - 1)) {
    return { ok: false, parameter: "from", message: `must be within ${reportDays.most} days of to` };
  }
  return { ok: true, from, to };
}

const daysBefore = (day: string, days: number): string =>
  new Date(Math.max(Date.parse(`${day}T00:00:00Z`) - days * dayMs, firstDay)).toISOString().slice(0, 10);

// Before the year 0, `toISOString` writes years of six digits, which do not compare as text.
const firstDay = Date.parse("0000-01-01T00:00:00Z");
