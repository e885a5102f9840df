import { expect, test } from "vitest";
import { judgeRuns, simulate, simulateAll } from "./simulator.ts";
import { judgeLeases, simulateLeases } from "./simulator-leases.ts";
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

test("a budget that is lent to nodes in parts is never exceeded, whoever dies with a part of it", () => {
  const one = { name: "10,000/s", demand: 2000, budget: 60_000, spread: "skewed", deaths: 20 } as const;
  const runs = [1, 2, 3].map((seed) => simulateLeases(one, seed));
  for (const { billed, over, tail } of runs) {
    expect(over).toBe(0);
    expect(billed).toBe(one.budget);
    // The last ten seconds' worth is not lent.
    expect(tail).toBeGreaterThan(one.demand * 5);
  }
  expect(simulateLeases(one, 2)).toEqual(runs[1]);
  expect(
    judgeLeases(runs.map((run) => ({ ...run, over: 1, missed: one.budget }))).map(({ holds }) => holds),
  ).toEqual([false, false]);
});

test("a small budget that is lent to the end is sold late, and lets clicks go for nothing", () => {
  const one = { name: "small", demand: 100, budget: 100, spread: "even", deaths: 0 } as const;
  const [asked, lent] = [simulateLeases(one, 1), simulateLeases(one, 1, { isTailLent: true })];
  expect(asked.missed).toBeLessThan(10);
  expect(asked.soldOutSeconds).toBeLessThan(2);
  expect(lent.missed).toBeGreaterThan(asked.billed);
  expect(lent.soldOutSeconds).toBeGreaterThan(3);
});
