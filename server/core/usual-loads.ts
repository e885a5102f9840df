import { dayMs, hourMs } from "./utc-day.ts";

/** How often pages loaded a website's tag in one hour; `hour` is its first millisecond since the epoch. */
export type HourOfLoads = { hour: number; loads: number };

/** What is usual is told by so many days: each weekday stands in them twice. */
export const usualDays = 14;

/** A busy website is not called quiet while a service is started anew. */
export const leastSilenceMs = 5 * 60 * 1000;
/** With less than this nobody can say what is usual at an hour of the day: a day without a page is the sign then. */
const leastHistoryMs = 2 * dayMs;
/** With less than this nobody can say what is usual at an hour of a weekday. */
const weekMs = 7 * dayMs;

/** So many hours later an hour of the week comes again. */
export const hoursOfWeek = weekMs / hourMs;

/** A silence in which so many pages usually come is one of ten times the usual gap. */
const loadsMissed = 10;

/**
 * When a page loaded the tag last (milliseconds since the epoch; null: none did), of the last one that is known and the last one
 * that was not told apart from others.
 */
export function lastHeard(pageAt: number | null, othersAt: number | null): number | null {
  return pageAt === null || othersAt === null ? (pageAt ?? othersAt) : Math.max(pageAt, othersAt);
}

/**
 * Whether no page has loaded the tag for ten times as long as it usually takes at these hours. The gap of an hour is an
 * hour divided by the loads that it usually has, so the silence is measured by how many pages would have come: a quiet night
 * before a busy morning is no alarm. What is usual is asked twice, and a silence is one by both: of the hour of the day, so
 * that one crowd is no alarm a week later, and of the hour of the week, so that a weekend is none.
 * @param loads of the two weeks before the last page; hours without a load may be left out, and those of one hour of the week
 *   may come together, in the first of them.
 * @param lastAt the last page, `now` the moment that is asked about: milliseconds since the epoch.
 */
export function isQuiet(loads: readonly HourOfLoads[], lastAt: number, now: number): boolean {
  const silenceMs = now - lastAt;
  if (silenceMs <= leastSilenceMs) return false;
  if (silenceMs > usualDays * dayMs) return true;
  const firstHour = Math.min(...loads.map(({ hour }) => hour));
  const historyMs = lastAt - firstHour;
  if (!(historyMs >= leastHistoryMs)) return silenceMs > dayMs;
  const isMissedBy = (cycleMs: number): boolean =>
    (loadsAtThese(loads, cycleMs, lastAt, now) * cycleMs) / historyMs >= loadsMissed;
  return isMissedBy(dayMs) && (historyMs < weekMs || isMissedBy(weekMs));
}

/** How many loads there were in all at the hours from one moment to another, which come again with each cycle. */
const loadsAtThese = (loads: readonly HourOfLoads[], cycleMs: number, from: number, to: number): number => {
  const hourOf = (at: number): number => Math.floor((at % cycleMs) / hourMs);
  const ofHour = Array.from({ length: cycleMs / hourMs }, () => 0);
  for (const { hour, loads: some } of loads) {
    ofHour[hourOf(hour)] = (ofHour[hourOf(hour)] ?? 0) + some;
  }
  let sum = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, at - (at % hourMs) + hourMs);
    sum += (ofHour[hourOf(at)] ?? 0) * (end - at);
    at = end;
  }
  return sum / hourMs;
};
