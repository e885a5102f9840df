import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recentRefusals } from "./recent-refusals.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a refusal is told once to who names it, and under no other reference", () => {
  const refusals = recentRefusals();
  const [first, second] = [refusals.keep("self_excluded"), refusals.keep("no_regular_income")];
  expect(refusals.take(second)).toBe("no_regular_income");
  expect(refusals.take(second)).toBe(null);
  expect(refusals.take("")).toBe(null);
  expect(refusals.take(first)).toBe("self_excluded");
});

test("a refusal is kept for its time and no longer, whether or not another comes", () => {
  const refusals = recentRefusals(10, 1000);
  const [first, second, third] = [refusals.keep("a"), refusals.keep("b"), refusals.keep("c")];
  vi.advanceTimersByTime(999);
  expect(refusals.take(first)).toBe("a");
  vi.advanceTimersByTime(1);
  expect(refusals.take(second)).toBe(null);
  refusals.keep("d");
  expect(refusals.take(third)).toBe(null);
});

test("of too many the oldest give way", () => {
  const refusals = recentRefusals(2);
  const references = ["a", "b", "c"].map((reason) => refusals.keep(reason));
  expect(references.map((reference) => refusals.take(reference))).toEqual([null, "b", "c"]);
});
