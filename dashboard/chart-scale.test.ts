import { describe, expect, test } from "vitest";
import { anchorOf, gridLines, labelledPoints, nearestTo, placeOf, runsOf } from "./chart-scale.ts";

describe("the lines of a chart", () => {
  test.each([
    [503, [0, 200, 400, 600]],
    [600, [0, 200, 400, 600]],
    [601, [0, 250, 500, 750]],
    [3, [0, 1, 2, 3]],
    [1, [0, 1, 2, 3]],
    [0, [0, 1, 2, 3]],
    [7, [0, 3, 6, 9]],
    [84_216, [0, 30_000, 60_000, 90_000]],
  ])("for counts up to %s are %j", (largest, lines) => {
    expect(gridLines(largest, true)).toEqual(lines);
  });

  test("have no halves of a count", () => {
    for (let largest = 0; largest < 2000; largest++) {
      for (const line of gridLines(largest, true)) expect(line % 1).toBe(0);
    }
  });

  test.each([0.0457, 0.3, 1, 6148.92, 1e9, 0.000_02, 0])("reach %s with shares", (largest) => {
    const lines = gridLines(largest, false);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBeGreaterThanOrEqual(largest * (1 - 1e-9));
    // Not a line that is squeezed to the floor.
    if (largest > 0.000_01) expect(lines[3]).toBeLessThan(largest * 3.1);
  });
});

describe("a point", () => {
  test("stands at its share of the width, and one alone in the middle", () => {
    expect(placeOf(0, 5, 40, 440)).toBe(40);
    expect(placeOf(4, 5, 40, 440)).toBe(440);
    expect(placeOf(0, 1, 40, 440)).toBe(240);
  });

  test("has its label within the chart's edges, and one alone below itself", () => {
    expect([0, 1, 2].map((index) => anchorOf(index, 3))).toEqual(["start", "middle", "end"]);
    expect(anchorOf(0, 1)).toBe("middle");
  });

  test("is found by the pointer, also beyond the ends", () => {
    for (let index = 0; index < 30; index++) {
      expect(nearestTo(placeOf(index, 30, 40, 440) + 3, 30, 40, 440)).toBe(index);
    }
    expect(nearestTo(0, 30, 40, 440)).toBe(0);
    expect(nearestTo(999, 30, 40, 440)).toBe(29);
    expect(nearestTo(100, 1, 40, 440)).toBe(0);
  });
});

test("labels are no more than fit, at the same distance", () => {
  expect(labelledPoints(30, 800, 76)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
  expect(labelledPoints(3, 800, 76)).toEqual([0, 1, 2]);
  expect(labelledPoints(30, 10, 76)).toEqual([0]);
});

test.each([
  [[1, 0, 3], [[0, 2]]],
  [
    [null, 2, 3, null, null, 4],
    [
      [1, 2],
      [5, 5],
    ],
  ],
  [[5, null], [[0, 0]]],
  [[null, null], []],
  [[], []],
])("a line through %j has the runs %j, and gaps between them", (values, runs) => {
  expect(runsOf(values)).toEqual(runs);
});
