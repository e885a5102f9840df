import { expect, test } from "vitest";
import { createBuckets } from "./buckets.ts";

test("a value counts at its bound and at every one above it", () => {
  const buckets = createBuckets([1, 5, 10]);
  for (const value of [0, 1, 1.5, 5, 7, 10, 11, 1000]) buckets.add(value);
  expect(buckets.read()).toEqual({ bounds: [1, 5, 10], atMost: [2, 4, 6], sum: 1035.5, count: 8 });
});

test("without a value all counts are 0", () => {
  expect(createBuckets([1, 2]).read()).toEqual({ bounds: [1, 2], atMost: [0, 0], sum: 0, count: 0 });
});
