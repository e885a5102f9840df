import { expect, test } from "vitest";
import { type HourOfLoads, isQuiet } from "./usual-loads.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** A day's beginning. */
const today = Date.UTC(2026, 10, 20);

/** Two weeks before today in which each hour of the day had so many loads. */
const twoWeeks = (loadsAt: (hourOfDay: number) => number): HourOfLoads[] =>
  Array.from({ length: 14 * 24 }, (_, index) => ({
    hour: today - 14 * day + index * hour,
    loads: loadsAt(index % 24),
  })).filter(({ loads }) => loads > 0);

const steady = twoWeeks(() => 60);
const daily = twoWeeks((at) => (at >= 8 && at < 20 ? 60 : 0));
/** Today is a Friday. */
const isWeekend = (at: number): boolean => [0, 6].includes(new Date(at).getUTCDay());
const byWeekday = steady.map(({ hour }) => ({ hour, loads: isWeekend(hour) ? 2 : 20 }));
const ofDays = (days: number) => byWeekday.filter(({ hour }) => hour >= today - days * day);
/** The loads of one hour of the week together, in the first of them. */
const inWeek = byWeekday.slice(0, 7 * 24).map(({ hour, loads }) => ({ hour, loads: 2 * loads }));
const crowd = steady.map(({ hour: at }) => ({
  hour: at,
  loads: at === today - 7 * day + 9 * hour ? 100 : 1,
}));
const rare = twoWeeks((at) => (at === 12 ? 1 : 0));
const young: HourOfLoads[] = [{ hour: today - 5 * hour, loads: 1000 }];

test.each<[string, HourOfLoads[], number, number, boolean]>([
  ["a page a minute, silent for ten minutes", steady, today, today + 10 * minute, true],
  ["a page a minute, silent for nine", steady, today, today + 9 * minute, false],
  ["a thousand a minute, silent for five", twoWeeks(() => 60_000), today, today + 5 * minute, false],
  ["a thousand a minute, silent for six", twoWeeks(() => 60_000), today, today + 6 * minute, true],
  ["pages by day alone, silent all night", daily, today - 4 * hour, today + 8 * hour, false],
  [
    "pages by day alone, the morning's first minutes",
    daily,
    today - 4 * hour,
    today + 8 * hour + 9 * minute,
    false,
  ],
  [
    "pages by day alone, a morning without one",
    daily,
    today - 4 * hour,
    today + 8 * hour + 10 * minute,
    true,
  ],
  [
    "weekdays of twenty an hour, silent for five hours of a weekend",
    byWeekday,
    today + day,
    today + day + 5 * hour,
    false,
  ],
  ["the same, silent for six", byWeekday, today + day, today + day + 6 * hour, true],
  ["the same, silent for half an hour of a weekday", byWeekday, today, today + 30 * minute, false],
  ["the same, silent for forty-five minutes", byWeekday, today, today + 45 * minute, true],
  [
    "the same, with hours of the week together, at a weekend",
    inWeek,
    today + day,
    today + day + 4 * hour,
    false,
  ],
  ["the same, with hours of the week together, on a weekday", inWeek, today, today + 45 * minute, true],
  [
    "the same of less than a week, which has no weekend yet",
    ofDays(4),
    today + day,
    today + day + 4 * hour,
    true,
  ],
  [
    "a page an hour, silent for an hour in which a crowd came a week before",
    crowd,
    today + 9 * hour,
    today + 10 * hour,
    false,
  ],
  ["a page a day, silent for nine days", rare, today - 11 * hour, today + 9 * day - 12 * hour, false],
  ["a page a day, silent for eleven", rare, today - 11 * hour, today + 10 * day + 13 * hour, true],
  ["a page a fortnight, silent for longer", [{ hour: today, loads: 1 }], today, today + 14 * day + 1, true],
  ["a tag of this morning, silent for a night", young, today, today + 12 * hour, false],
  ["a tag of this morning, silent for a day", young, today, today + day + 1, true],
  ["nothing known of its hours", [], today, today + hour, false],
])("%s", (_, loads, lastAt, now, expected) => {
  expect(isQuiet(loads, lastAt, now)).toBe(expected);
});
