import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogEventName } from "../core/log-events.ts";
import { createLineCap } from "./line-cap.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const newCap = () => {
  const time = { now: 0 };
  const said: [LogEventName, number][] = [];
  const cap = createLineCap(
    () => time.now,
    (of, lines) => said.push([of, lines]),
  );
  const taken = (event: LogEventName, times: number): number => {
    let count = 0;
    for (let at = 0; at < times; at += 1) if (cap.takes(event)) count += 1;
    return count;
  };
  return { time, said, cap, taken };
};

test("a hundred lines of an event are written in a row, then one a second", () => {
  const { time, taken } = newCap();
  expect(taken("request_failed", 100_000)).toBe(100);
  time.now += 999;
  expect(taken("request_failed", 10)).toBe(0);
  time.now += 1;
  expect(taken("request_failed", 10)).toBe(1);
  time.now += 30_000;
  expect(taken("request_failed", 100)).toBe(30);
  time.now += 3_600_000;
  expect(taken("request_failed", 1000)).toBe(100);
});

test("one event's flood hides no other event", () => {
  const { taken } = newCap();
  taken("partner_refused", 1000);
  expect(taken("journal_refused", 1)).toBe(1);
});

test("of answered calls a hundred a second are written", () => {
  const { time, taken } = newCap();
  expect(taken("request", 1000)).toBe(100);
  time.now += 1000;
  expect(taken("request", 1000)).toBe(100);
});

test("fatal lines are written all", () => {
  const { taken, said } = newCap();
  expect(taken("uncaught_error", 10_000)).toBe(10_000);
  expect(said).toEqual([]);
});

test("how many were left out is said at once, then every ten seconds, and at the end", () => {
  const { said, cap, taken } = newCap();
  taken("request_failed", 100);
  expect(said).toEqual([]);
  taken("request_failed", 1);
  expect(said).toEqual([["request_failed", 1]]);
  taken("request_failed", 50);
  vi.advanceTimersByTime(9_999);
  expect(said).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([
    ["request_failed", 1],
    ["request_failed", 50],
  ]);
  taken("request_failed", 7);
  cap.tell();
  expect(said.at(-1)).toEqual(["request_failed", 7]);
});
