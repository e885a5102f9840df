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
  ["a page a day, silent for nine days", rare, today - 11 * hour, today + 9 * day - 12 * hour, false],
  ["a page a day, silent for eleven", rare, today - 11 * hour, today + 10 * day + 13 * hour, true],
  ["a page a fortnight, silent for longer", [{ hour: today, loads: 1 }], today, today + 14 * day + 1, true],
  ["a tag of this morning, silent for a night", young, today, today + 12 * hour, false],
  ["a tag of this morning, silent for a day", young, today, today + day + 1, true],
  ["nothing known of its hours", [], today, today + hour, false],
])("%s", (_, loads, lastAt, now, expected) => {
  expect(isQuiet(loads, lastAt, now)).toBe(expected);
});
