import { expect, test } from "vitest";
import { statementMonths } from "./statement-months.ts";

test.each([
  ["2026-11-20T12:00:00Z", "2026-11-30T23:59:59Z", ["2026-11"], "2026-11"],
  ["2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z", ["2026-12", "2026-11"], "2026-11"],
  ["2025-12-31T12:00:00Z", "2026-02-01T00:00:00Z", ["2026-02", "2026-01", "2025-12"], "2026-01"],
  // A browser whose clock is behind.
  ["2026-12-01T00:00:00Z", "2026-11-30T12:00:00Z", ["2026-11"], "2026-11"],
])("of an account of %s there are at %s %j, and %s comes first", (createdAt, now, months, first) => {
  expect(statementMonths(Date.parse(createdAt), Date.parse(now))).toEqual({ months, first });
});
