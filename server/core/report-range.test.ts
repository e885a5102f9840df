import { calendarDate } from "@offers/contract/reports";
import { describe, expect, it } from "vitest";
import { reportRange } from "./report-range.ts";

const today = "2026-11-20";

describe("a report's range", () => {
  it.each([
    ["is the last 30 days, today included", {}, "2026-10-22", "2026-11-20"],
    ["ends today when only its start is given", { from: "2026-11-01" }, "2026-11-01", "2026-11-20"],
    ["is 30 days long when only its end is given", { to: "2026-03-01" }, "2026-01-31", "2026-03-01"],
    ["may be one day", { from: "2026-11-20", to: "2026-11-20" }, "2026-11-20", "2026-11-20"],
    ["may be 366 days", { from: "2025-11-20", to: "2026-11-20" }, "2025-11-20", "2026-11-20"],
    [
      "may lie in the future, where nothing is yet",
      { from: "2027-01-01", to: "2027-01-02" },
      "2027-01-01",
      "2027-01-02",
    ],
    ["may be at the start of the calendar", { to: "0000-01-03" }, "0000-01-01", "0000-01-03"],
  ])("%s", (_name, query, from, to) => {
    expect(reportRange(query, today)).toEqual({ ok: true, from, to });
  });

  it.each([
    ["its start after its end", { from: "2026-11-02", to: "2026-11-01" }],
    ["a start after today and no end", { from: "2026-11-21" }],
    ["367 days", { from: "2025-11-19", to: "2026-11-20" }],
    ["ten years", { from: "2016-11-20", to: "2026-11-20" }],
  ])("is refused with %s", (_name, query) => {
    expect(reportRange(query, today)).toMatchObject({ ok: false, parameter: "from" });
  });

  it.each([
    "2026-02-30",
    "2026-11-31",
    "2026-13-01",
    "2026-1-1",
    "20261120",
    "2026-11-20T00:00:00Z",
    "today",
    "",
  ])("cannot be bounded by %j", (text) => {
    expect(calendarDate.safeParse(text).success).toBe(false);
  });
});
