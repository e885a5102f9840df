import { expect, test } from "vitest";
import { dataAgeDays, oldDataWarning, oldListWarning } from "./data-age.ts";

const at = (text: string): number => Date.parse(text);

test.each([
  ["2026-06-17", "2026-06-17T00:00:00Z", 0],
  ["2026-06-17", "2026-06-17T23:59:59Z", 0],
  ["2026-06-17", "2026-06-18T00:00:00Z", 1],
  ["2026-06-17", "2026-06-16T00:00:00Z", 0],
  ["2025-11-22", "2026-11-22T12:00:00Z", 365],
])("data of %s is at %s %i days old", (date, now, days) => {
  expect(dataAgeDays(date, at(now))).toBe(days);
});

test.each([
  ["2026-06-17", "2026-09-15T23:00:00Z", null],
  ["2026-06-17", "2026-09-16T00:00:00Z", "The location data (set) is of 2026-06-17, 91 days old."],
])("of %s nothing is said at %s, or %j", (date, now, warning) => {
  expect(oldDataWarning({ name: "set", date }, at(now))).toBe(warning);
});

test("without a data set there is nothing to say", () => {
  expect(oldDataWarning(undefined, 0)).toBeNull();
});

test.each([
  ["2025-11-22", "2026-11-22T23:00:00Z", null],
  ["2025-11-22", "2026-11-23T00:00:00Z", "The list of networks (datacenter) is of 2025-11-22, 366 days old."],
])("of a list of networks of %s nothing is said at %s, or %j", (date, now, warning) => {
  expect(oldListWarning({ kind: "datacenter", date }, at(now))).toBe(warning);
});
