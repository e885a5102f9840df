import { expect, test } from "vitest";
import type { Slice } from "../load/plan.ts";
import { recoveryOf } from "./overload.ts";

const fine: Slice = { good: 100, refused: 0, other: 0, p95: 10 };

test.each<[string, Slice[], number]>([
  ["at once", Array(8).fill(fine), 0],
  ["once nothing is refused", [{ ...fine, refused: 1 }, ...Array(8).fill(fine)], 0.25],
  ["once nothing breaks off or is left unsent", [fine, { ...fine, other: 1 }, ...Array(8).fill(fine)], 0.5],
  ["once nothing is slow", [fine, fine, { ...fine, p95: 31 }, ...Array(8).fill(fine)], 0.75],
  ["once something is answered", [{ ...fine, good: 0 }, ...Array(8).fill(fine)], 0.25],
  [
    "never, where no second is without it",
    Array(5)
      .fill([fine, fine, fine, { ...fine, other: 1 }])
      .flat(),
    10,
  ],
])("after an overload it is as before %s", (_, slices, seconds) => {
  expect(recoveryOf(slices, 10)).toBe(seconds);
});
