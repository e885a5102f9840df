import { expect, test } from "vitest";
import { judgeRuns, simulate, simulateAll } from "./simulator.ts";
import { judgeDays, simulateDays } from "./simulator-pacing.ts";

test("learnt click rates earn nearly what an oracle would, in small runs too", () => {
  const runs = simulateAll({ runs: 3, requests: 20_000, offers: 10, standard: 0 });
  for (const run of runs) {
    expect(run.learnt).toBeGreaterThan(0.9);
    expect(run.learntLate).toBeGreaterThan(0.95);
  }
  // By luck a run's dearest offer may be the best one; not in all three.
  expect(Math.min(...runs.map(({ fixed }) => fixed))).toBeLessThan(0.9);
});

test("a run is the same each time, and a bar that is missed is said to be", () => {
  const options = { runs: 1, requests: 500, offers: 30, standard: 6 };
  const run = simulate(3, options);
  expect(simulate(3, options)).toEqual(run);
  const missed = judgeRuns([{ ...run, learnt: 0.92, learntLate: 0.98 }]);
  expect(missed.map(({ holds }) => holds)).toEqual([false, true, true]);
});

test("a day's budget that is spread evenly keeps to its plan, in small days too, and never goes above it", () => {
  const days = simulateDays({ runs: 1, clicks: 250 });
  expect(days).toHaveLength(3);
  for (const { hours, spent } of days) {
    expect(spent).toBeGreaterThan(0.985);
    expect(spent).toBeLessThanOrEqual(1);
    expect(Math.min(...hours.slice(1))).toBeGreaterThan(0.85);
    expect(Math.max(...hours)).toBeLessThan(1.15);
  }
  expect(judgeDays(days.map((day) => ({ ...day, spent: 0.98 }))).filter(({ holds }) => !holds)).toHaveLength(
    3,
  );
});
