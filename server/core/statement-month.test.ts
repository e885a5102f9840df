import { expect, test } from "vitest";
import { statementMonth } from "./statement-month.ts";

test.each([
  ["2026-11", "2026-11-30", "2026-12-02T01:00:00.000Z"],
  ["2026-12", "2026-12-31", "2027-01-02T01:00:00.000Z"],
  ["2028-02", "2028-02-29", "2028-03-02T01:00:00.000Z"],
])("%s ends on %s, and is final from %s on", (month, to, finalFrom) => {
  const { finalAt, ...days } = statementMonth(month);
  expect(days).toEqual({ month, from: `${month}-01`, to });
  expect(new Date(finalAt).toISOString()).toBe(finalFrom);
});
