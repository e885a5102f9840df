import { expect, test } from "vitest";
import { skippedTrials } from "./skipped-trials.ts";

const holds = { id: "P1.kill", engine: "sqlite", outcome: "holds", reason: "" };
const skipped = (id: string, engine: string, reason: string) => ({ id, engine, outcome: "skipped", reason });

test.each([
  ["nothing", [holds], ""],
  [
    "what the machine lacks, once",
    [holds, skipped("P2.power-loss", "sqlite", "no cc"), skipped("P2.held", "sqlite", "no cc")],
    "P2.power-loss on sqlite, P2.held on sqlite: no cc",
  ],
  [
    "each reason",
    [skipped("P2.held", "sqlite", "no cc"), skipped("P1.kill", "postgres", "no PostgreSQL")],
    "P2.held on sqlite: no cc; P1.kill on postgres: no PostgreSQL",
  ],
])("of the trials that were skipped it tells %s", (_, results, told) => {
  expect(skippedTrials({ results })).toBe(told);
});

test("a run without results has tried nothing", () => {
  expect(skippedTrials(null)).toContain("no results");
});
