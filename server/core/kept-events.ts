import { eventWindow } from "@offers/contract/server-events";
import { requestLifetimes } from "@offers/contract/words";
import { dayMs } from "./utc-day.ts";

/** How long what happened is kept event by event, unless the operator says otherwise. */
export const usualKeptDays = 90;

/**
 * The fewest days: an event may be reported seven days late, and from then on it is told apart from its repetitions, and
 * explained, for as long as the id of a visit lives.
 */
export const leastKeptDays = Math.ceil((eventWindow.pastMs + requestLifetimes.eventsSeconds * 1000) / dayMs);

/** A hundred years: more is meant to be for ever, and has a word of its own. */
export const mostKeptDays = 36_500;

/** The moment before which no event is kept, by days; null: all are. Milliseconds since the epoch. */
export function keptSince(now: number, keptDays: number | null): number | null {
  return keptDays === null ? null : now - keptDays * dayMs;
}
