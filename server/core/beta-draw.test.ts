import { expect, test } from "vitest";
import { drawBeta } from "./beta-draw.ts";
import { stableHash } from "./stable-hash.ts";

const seeds = Array.from({ length: 40_000 }, (_, at) => stableHash(`request-${at}`));

test.each([
  ["an offer of which nothing is known", 0.3, 29.7],
  ["an offer that was clicked once", 1.3, 298.7],
  ["a rate that is nearly nothing", 0.3, 299.7],
  ["some clicks of many impressions", 26.5, 1273.5],
  ["many clicks", 5_000, 95_000],
  ["a share of a half", 12, 12],
])("the draws of %s have the distribution's mean and deviation", (_, alpha, beta) => {
  const draws = seeds.map((seed) => drawBeta(seed, alpha, beta));
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  const wantedMean = alpha / (alpha + beta);
  const wantedVariance = (wantedMean * (1 - wantedMean)) / (alpha + beta + 1);
  expect(mean / wantedMean).toBeCloseTo(1, 1);
  expect(Math.abs(mean - wantedMean)).toBeLessThan(5 * Math.sqrt(wantedVariance / draws.length));
  expect(variance / wantedVariance).toBeGreaterThan(0.9);
  expect(variance / wantedVariance).toBeLessThan(1.1);
  expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
});

test("the draws of Beta(1, 3) lie below each share as often as its distribution says", () => {
  for (const share of [0.01, 0.1, 0.3, 0.6, 0.9]) {
    const below = seeds.filter((seed) => drawBeta(seed, 1, 3) < share).length / seeds.length;
    expect(Math.abs(below - (1 - (1 - share) ** 3))).toBeLessThan(0.012);
  }
});

test("a seed draws alike each time, and another seed otherwise", () => {
  expect(drawBeta(7, 2, 300)).toBe(drawBeta(7, 2, 300));
  expect(new Set(seeds.slice(0, 1000).map((seed) => drawBeta(seed, 2, 300))).size).toBe(1000);
});

test.each([
  [0.3, 29.7, 404.4541134],
  [26.5, 1273.5, 814.871119],
  [1, 3, 9986.5085612],
])(
  "what Beta(%d, %d) draws stays as it is: a request that is explained later ranks as it was answered",
  (alpha, beta, sum) => {
    expect(seeds.reduce((total, seed) => total + drawBeta(seed, alpha, beta), 0)).toBeCloseTo(sum, 6);
  },
);
