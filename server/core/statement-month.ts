import { requestLifetimes } from "@offers/contract/words";
import { dayMs, hourMs, utcDay } from "./utc-day.ts";

/** A month of UTC that a statement is about. */
export type StatementMonth = {
  /** `YYYY-MM`. */
  month: string;
  /** Its first and its last date. */
  from: string;
  to: string;
  /** From when on nothing is billed on one of its days any more, in milliseconds since the epoch. */
  finalAt: number;
};

/**
 * How long after a day something may still be billed on it. A bill is of the day of its event, which is never before the
 * decision of its visit, and nothing is billed that comes when that decision is older than a requestId lives. The hour is for
 * what waits for its commit then, and for clocks that differ.
 */
const billedLateMs = requestLifetimes.eventsSeconds * 1000 + hourMs;

/** @param month `YYYY-MM`. */
export function statementMonth(month: string): StatementMonth {
  const [year = 0, number = 0] = month.split("-").map(Number);
  // Of a Date's months the first is 0: this is the first day of the month after it.
  const end = Date.UTC(year, number, 1);
  return { month, from: `${month}-01`, to: utcDay(end - dayMs), finalAt: end + billedLateMs };
}
