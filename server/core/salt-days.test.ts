import { expect, test } from "vitest";
import { saltDays, saltKeptMs } from "./salt-days.ts";
import { dayMs, dayNumber, startOfDay } from "./utc-day.ts";

const midnight = Date.parse("2026-11-21T00:00:00Z");

test.each([
  ["at midnight", midnight],
  ["at noon", midnight + dayMs / 2],
  ["in the last millisecond of a day", midnight + dayMs - 1],
])("%s the salts of yesterday, today and tomorrow are kept, and none for as long as two days", (_, now) => {
  const today = dayNumber(midnight);
  expect(saltDays(now)).toEqual([today - 1, today, today + 1]);
  const [oldest] = saltDays(now);
  expect(now - startOfDay(oldest)).toBeLessThan(saltKeptMs);
  expect(now - startOfDay(oldest - 1)).toBeGreaterThanOrEqual(saltKeptMs);
});
