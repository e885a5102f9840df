import type { reportDimensions } from "@offers/contract/reports";
import { describe, expect, it } from "vitest";
import { counterParts } from "./counter-parts.ts";

const parts = (from: string, to: string, groupBy: readonly (typeof reportDimensions)[number][], more = {}) =>
  counterParts({ from, to, groupBy, ...more }).map((part) => `${part.table} ${part.from} ${part.to}`);

describe("the tables of a report", () => {
  it.each([
    ["sums over the countries", "2025-11-20", "2026-11-20", ["date"], ["counter_day 2025-11-20 2026-11-20"]],
    [
      "counters, by day and place",
      "2026-10-01",
      "2026-10-31",
      ["date", "country"],
      ["counter 2026-10-01 2026-10-31"],
    ],
    ["one whole month", "2026-10-01", "2026-10-31", ["country"], ["counter_month 2026-10 2026-10"]],
    ["a February of a leap year", "2028-02-01", "2028-02-29", ["country"], ["counter_month 2028-02 2028-02"]],
    [
      "no month when it lacks a day",
      "2026-10-01",
      "2026-10-30",
      ["country"],
      ["counter 2026-10-01 2026-10-30"],
    ],
    [
      "no month between two parts of one",
      "2026-10-02",
      "2026-11-29",
      ["country"],
      ["counter 2026-10-02 2026-11-29"],
    ],
    [
      "whole months between two parts",
      "2025-11-20",
      "2026-11-20",
      ["country"],
      ["counter 2025-11-20 2025-11-30", "counter_month 2025-12 2026-10", "counter 2026-11-01 2026-11-20"],
    ],
    [
      "whole months over a year's end",
      "2025-12-01",
      "2026-01-31",
      ["country"],
      ["counter_month 2025-12 2026-01"],
    ],
    [
      "a part before whole months",
      "2026-01-31",
      "2026-02-28",
      ["country"],
      ["counter 2026-01-31 2026-01-31", "counter_month 2026-02 2026-02"],
    ],
  ] as const)("are %s", (_name, from, to, groupBy, wanted) => {
    expect(parts(from, to, groupBy)).toEqual(wanted);
  });

  it("respect a country that is filtered by, though not grouped by", () => {
    expect(parts("2026-10-01", "2026-10-02", ["date"], { country: "DE" })).toEqual([
      "counter 2026-10-01 2026-10-02",
    ]);
  });

  it("name each day when a country is looked for", () => {
    const [part] = counterParts({ from: "2026-10-30", to: "2026-11-01", country: "DE", groupBy: ["date"] });
    expect(part?.days).toEqual(["2026-10-30", "2026-10-31", "2026-11-01"]);
  });
});
