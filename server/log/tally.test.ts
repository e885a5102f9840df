import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTally } from "./tally.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const newTally = () => {
  const said: [since: number, total: number][] = [];
  const tally = createTally(1000, (since, total) => said.push([since, total]));
  const count = (times: number) => {
    for (let time = 0; time < times; time++) tally.count();
  };
  return { tally, said, count };
};

test("the first is told at once, the next ones together and not sooner than allowed", () => {
  const { said, count } = newTally();
  count(5);
  expect(said).toEqual([[1, 1]]);
  vi.advanceTimersByTime(999);
  expect(said).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([
    [1, 1],
    [4, 5],
  ]);
  count(2);
  expect(said).toHaveLength(2);
  vi.advanceTimersByTime(1000);
  expect(said.at(-1)).toEqual([2, 7]);
});

test("after a quiet time the next one is told at once again, and nothing is told of nothing", () => {
  const { said, count } = newTally();
  count(1);
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual([[1, 1]]);
  expect(vi.getTimerCount()).toBe(0);
  count(1);
  expect(said.at(-1)).toEqual([1, 2]);
});

test("at the end what is left is told, once", () => {
  const { tally, said, count } = newTally();
  count(3);
  tally.tell();
  tally.tell();
  expect(said).toEqual([
    [1, 1],
    [2, 3],
  ]);
  vi.advanceTimersByTime(5000);
  expect(said).toHaveLength(2);
});
