import { expect, test } from "vitest";
import { lastsFor } from "./balance-words.ts";

const today = "2026-10-24";
/** What was spent on the days before today, and today. */
const days = (before: number[], spentToday: number | null) => [
  ...before.map((spentMicros, at) => ({ date: `2026-10-${10 + at}`, spentMicros, billedClicks: 1 })),
  ...(spentToday === null ? [] : [{ date: today, spentMicros: spentToday, billedClicks: 1 }]),
];

test.each([
  ["nothing left to pay with", 0, days([10], 10)],
  ["nothing left to pay with", -1, days([], null)],
  ["nothing spent yet", 100, days([], null)],
  ["about 10 days", 100, days([10], null)],
  // A day that has just begun says little.
  ["about 10 days", 100, days([10], 1)],
  ["about 10 days", 100, days([9, 11], 1)],
  ["about 100 days", 100, days([], 1)],
  // Of seven days, and not of six and today.
  ["about 7 days", 70, days([80, 70, 0, 0, 0, 0, 0, 0], 0)],
  ["less than a day", 100, days([101], 1)],
  ["more than a year", 1000, days([1], 1)],
])("%s: of %d, with %j", (says, balanceMicros, spent) => {
  expect(lastsFor({ balanceMicros, days: spent }, today)).toBe(says);
});
