import type { KnownNetwork } from "@offers/contract/words";
import { dayMs } from "./utc-day.ts";

/** Networks change owners: after a quarter of a year a source is asked to be renewed. */
const oldAfterDays = 90;
/** Hosters and engines seldom give up a network: what an old list misses is the new ones. */
const oldListAfterDays = 365;

/** How many whole days lie between the day that data is of, `YYYY-MM-DD`, and `now` in milliseconds; never below 0. */
export function dataAgeDays(date: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(date)) / dayMs));
}

/** What to tell of the data set that answers first when it is too old; null while it is not, or where there is none. */
export function oldDataWarning(
  source: { name: string; date: string } | undefined,
  now: number,
): string | null {
  if (source === undefined) return null;
  const days = dataAgeDays(source.date, now);
  return days > oldAfterDays
    ? `The location data (${source.name}) is of ${source.date}, ${days} days old.`
    : null;
}

/** The same of a list of networks. */
export function oldListWarning(list: { kind: KnownNetwork; date: string }, now: number): string | null {
  const days = dataAgeDays(list.date, now);
  return days > oldListAfterDays
    ? `The list of networks (${list.kind}) is of ${list.date}, ${days} days old.`
    : null;
}
