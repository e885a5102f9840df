import { expect, test } from "vitest";
import { earnedPerBlocked } from "./earned-per-blocked.ts";

type Sum = [currency: string | null, blocked: number | bigint, earned_micros: number | bigint];

test.each<[string, Sum[], [string, number | bigint | null][]]>([
  ["nothing where nothing was paid", [[null, 5, 0]], []],
  ["rounded down", [["EUR", 3, 100]], [["EUR", 33]]],
  [
    "over all that were blocked, whatever row they stand in",
    [
      ["EUR", 0, 100],
      [null, 4, 0],
    ],
    [["EUR", 25]],
  ],
  [
    "of two surfaces together",
    [
      ["EUR", 1, 100],
      ["EUR", 3, 101],
    ],
    [["EUR", 50]],
  ],
  [
    "each currency by itself",
    [
      ["JPY", 2, 9_000_000],
      ["EUR", 0, 7],
    ],
    [
      ["EUR", 3],
      ["JPY", 4_500_000],
    ],
  ],
  ["null where nobody was blocked", [["EUR", 0, 100]], [["EUR", null]]],
  ["in all digits", [["EUR", 1, 2n ** 60n]], [["EUR", 2n ** 60n]]],
  ["0 where all of it is the operator's", [["EUR", 1, 0]], [["EUR", 0]]],
])("is told %s", (_, sums, expected) => {
  const told = earnedPerBlocked(
    sums.map(([currency, blocked, earned_micros]) => ({ currency, blocked, earned_micros })),
  );
  expect(told).toEqual(expected.map(([currency, micros]) => ({ currency, micros })));
});
