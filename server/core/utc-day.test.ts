import { expect, test } from "vitest";
import { dateOfDay, dayBefore, dayNumber, dayOfHour, hourNumber, startOfDay, utcDay } from "./utc-day.ts";

test.each([
  ["the last millisecond of a day", "2026-11-20T23:59:59.999Z", "2026-11-20"],
  ["midnight", "2026-11-21T00:00:00.000Z", "2026-11-21"],
  ["a leap day", "2028-02-29T12:00:00.000Z", "2028-02-29"],
  ["the epoch", "1970-01-01T00:00:00.000Z", "1970-01-01"],
])("%s falls to its UTC date", (_, moment, day) => {
  expect(utcDay(Date.parse(moment))).toBe(day);
});

test.each([
  ["2026-11-20", "2026-11-19"],
  ["2026-03-01", "2026-02-28"],
  ["2028-03-01", "2028-02-29"],
  ["2026-01-01", "2025-12-31"],
])("before %s comes %s", (day, before) => {
  expect(dayBefore(day)).toBe(before);
});

test("days are counted from the epoch, and each begins with its first millisecond", () => {
  const midnight = Date.parse("2026-11-21T00:00:00Z");
  expect(dayNumber(0)).toBe(0);
  expect(dayNumber(midnight)).toBe(dayNumber(midnight - 1) + 1);
});

test.each([
  ["2026-11-20T23:59:59.999Z", "2026-11-20"],
  ["2026-11-21T00:00:00.000Z", "2026-11-21"],
  ["1969-12-31T23:00:00.000Z", "1969-12-31"],
])("%s is of a day, an hour and a date that agree: %s", (moment, date) => {
  const at = Date.parse(moment);
  const day = dayNumber(at);
  expect(new Date(startOfDay(day)).toISOString()).toBe(`${date}T00:00:00.000Z`);
  expect(dateOfDay(day)).toBe(date);
  expect(dayOfHour(hourNumber(at))).toBe(day);
  expect(hourNumber(at) - hourNumber(startOfDay(day))).toBe(new Date(at).getUTCHours());
});
