import { reportDays } from "@offers/contract/words";

const dayMs = 86_400_000;

/** Calendar days of UTC, both included. */
export type Days = { from: string; to: string };

/** The ranges with a name. */
type RangeName = "7d" | "30d" | "90d" | "month";
export type Range = Days & { name: RangeName | "own" };

/** The day of UTC of a moment. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** A day so many days later; earlier where `days` is below 0. */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs);
}

/** How many days a range has. */
export function lengthOf({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

/** Every day of a range. */
export function daysOf(days: Days): string[] {
  return Array.from({ length: lengthOf(days) }, (_, index) => addDays(days.from, index));
}

/** As many days as the range has, right before it. */
export function periodBefore(days: Days): Days {
  return { from: addDays(days.from, -lengthOf(days)), to: addDays(days.from, -1) };
}

/** The days of a range that are over, the first ones of it; undefined where none is. What `today` has is not all of it yet. */
export function wholeDays({ from, to }: Days, today: string): Days | undefined {
  const yesterday = addDays(today, -1);
  if (from > yesterday) return undefined;
  return { from, to: to < today ? to : yesterday };
}

/**
 * The range that an address names: `7d`, `month`, or `2026-10-01..2026-10-31`. Anything else is the usual 30 days: an
 * address may have been typed. Too long a range ends where it says and begins later.
 */
export function readRange(text: string | undefined, today: string): Range {
  if (text === "7d") return { name: "7d", from: addDays(today, -6), to: today };
  if (text === "90d") return { name: "90d", from: addDays(today, -89), to: today };
  if (text === "month") return { name: "month", from: `${today.slice(0, 8)}01`, to: today };
  const [from = "", to = "", ...rest] = (text ?? "").split("..");
  if (isDay(from) && isDay(to) && rest.length === 0 && from <= to) {
    return { name: "own", from: [from, addDays(to, 1 - reportDays.most)].sort()[1] ?? from, to };
  }
  return { name: "30d", from: addDays(today, -29), to: today };
}

/** What an address says of a range of one's own. */
export function ownRange({ from, to }: Days): string {
  return `${from}..${to}`;
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
