import { expect, test } from "vitest";
import { lastsFor } from "./balance-words.ts";

const today = "2026-10-24";
/** What was spent on the days before today, of which the last is yesterday, and today. */
const days = (before: number[], spentToday: number) =>
  [...before, spentToday].map((spentMicros, at) => ({
    date: `2026-10-${24 - before.length + at}`,
    spentMicros,
    billedClicks: 1,
  }));

test.each([
  ["nothing left to pay with", 0, days([10], 10)],
  ["nothing left to pay with", -1, []],
  ["nothing spent yet", 100, []],
  // A day that has just begun says little, but it is all there is of an advertiser's first one.
  ["about 10 days", 100, days([10], 1)],
  ["about 10 days", 100, days([9, 11], 1)],
  ["about 100 days", 100, days([], 1)],
  // Of seven days, and not of six and today; those without spend are days too.
  ["about 7 days", 70, days([80, 70, 0, 0, 0, 0, 0, 0], 0)],
  ["about 70 days", 70, days([70, 0, 0, 7, 0, 0, 0, 0, 0], 0)],
  // Of an advertiser younger than seven days those since its first spend.
  ["about 30 days", 100, days([5, 0, 5], 0)],
  // After a rest of more than seven days today says more than they do.
  ["about 50 days", 100, days([90, 0, 0, 0, 0, 0, 0, 0], 2)],
  ["nothing spent in the last 7 days", 100, days([90, 0, 0, 0, 0, 0, 0, 0], 0)],
  ["less than a day", 100, days([101], 1)],
  ["about a day", 100, days([90], 1)],
  ["more than a year", 1000, days([1], 1)],
])("%s: of %d, with %j", (says, balanceMicros, spent) => {
  expect(lastsFor({ balanceMicros, days: spent }, today)).toBe(says);
});
