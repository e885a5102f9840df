import { expect, test } from "vitest";
import { createSharedClock } from "./shared-clock.ts";

const started = () => {
  const events: object[] = [];
  return {
    clock: createSharedClock(
      () => 100_000,
      (event) => events.push(event),
    ),
    events,
  };
};

test("a clock that goes with the database's is told of nowhere", () => {
  const { clock, events } = started();
  clock.setOffset(900, 0);
  expect([clock.now(), clock.isBearable(), events]).toEqual([100_900, true, []]);
});

test("one that is off by more than a second is put right, and noted once a minute", () => {
  const { clock, events } = started();
  clock.setOffset(-1500, 0);
  clock.setOffset(-1500, 59_999);
  expect([clock.now(), clock.isBearable(), events]).toEqual([
    98_500,
    true,
    [{ event: "clock_off", offsetMs: -1500 }],
  ]);
  clock.setOffset(-1500, 60_000);
  expect(events).toHaveLength(2);
});

test("one that is off by more than half a minute is not to serve until it is put right", () => {
  const { clock } = started();
  clock.setOffset(31_000, 0);
  expect([clock.now(), clock.isBearable()]).toEqual([131_000, false]);
  clock.setOffset(0, 1);
  expect(clock.isBearable()).toBe(true);
});
