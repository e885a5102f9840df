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

/** What is told of a month in every answer: its days, and whether it may still grow. */
export type ToldMonth = Omit<StatementMonth, "finalAt"> & {
  final: boolean;
  /** From when on it is, as RFC 3339 has it. */
  finalFrom: string;
};

/** A month as it is at a moment. To be asked before the ledger is read: what is final then has all its lines. */
export function monthAt(month: string, now: number): ToldMonth {
  const { finalAt, ...days } = statementMonth(month);
  return { ...days, final: now >= finalAt, finalFrom: new Date(finalAt).toISOString() };
}

/** Whether a month may still grow, as a line. */
export function finalText({ final, finalFrom }: Pick<ToldMonth, "final" | "finalFrom">): string {
  const moment = `${finalFrom.slice(0, 16)}Z`;
  return final
    ? "final: nothing is billed in this month any more"
    : `not final: visits of its last day may be billed until ${moment}`;
}

/** What was compared with the ledger: the lines of the month, and each figure that is another one there. */
export type Compared = { lines: number; differences: readonly object[] };

/** Whether an advertiser's month agrees with its balance and budgets, as a line. */
export function advertiserCheck(compared: Compared): string {
  return checkText(compared, "the balance or the budgets");
}

/** Whether publishers' months agree with the reports, as a line. */
export function publishersCheck(compared: Compared): string {
  return checkText(compared, "the reports");
}

const checkText = ({ lines, differences }: Compared, beside: string): string =>
  differences.length === 0
    ? `adds up to the ledger: ${lines} lines`
    : `figures on which the ledger and ${beside} differ: ${differences.length} (ledger lines: ${lines})`;

/** @param month `YYYY-MM`. */
export function statementMonth(month: string): StatementMonth {
  const [year = 0, number = 0] = month.split("-").map(Number);
  // Of a Date's months the first is 0: this is the first day of the month after it.
  const end = Date.UTC(year, number, 1);
  return { month, from: `${month}-01`, to: utcDay(end - dayMs), finalAt: end + billedLateMs };
}
