import { describe, expect, test } from "vitest";
import { clockOffsetOf, clockVerdict, createServerClock, type RoundTrip } from "./server-clock.ts";

const trip = (sentAt: number, tripMs: number, aheadMs: number): RoundTrip => ({
  sentAt,
  serverAt: sentAt + tripMs / 2 + aheadMs,
  receivedAt: sentAt + tripMs,
});

describe("how far the server's clock is ahead", () => {
  test.each<{ name: string; trips: RoundTrip[]; offset: number }>([
    { name: "nothing was asked yet", trips: [], offset: 0 },
    { name: "the clocks agree", trips: [trip(1000, 2, 0)], offset: 0 },
    { name: "it is ahead", trips: [1, 2, 3, 4, 5].map((at) => trip(at * 1000, 2, 20_000)), offset: 20_000 },
    { name: "it is behind", trips: [1, 2, 3].map((at) => trip(at * 1000, 4, -1500)), offset: -1500 },
    {
      name: "two of five answers were held up on their way back",
      trips: [
        ...[1, 2, 3].map((at) => trip(at * 1000, 2, 5)),
        ...[4, 5].map((at) => ({ sentAt: at * 1000, serverAt: at * 1000 + 6, receivedAt: at * 1000 + 900 })),
      ],
      offset: 5,
    },
    { name: "it is no whole number", trips: [trip(1000, 3, 0.7)], offset: 1 },
  ])("$name: $offset ms", ({ trips, offset }) => {
    expect(clockOffsetOf(trips)).toBe(offset);
  });
});

describe("a clock that goes by the server's", () => {
  test("is the machine's own until something is known, and then ahead or behind of it", () => {
    const clock = createServerClock(() => 10_000);
    expect(clock.now()).toBe(10_000);
    clock.setOffset(250);
    expect(clock.now()).toBe(10_250);
  });

  test("never goes back by a second or less: it stands still until the time has come", () => {
    let own = 10_000;
    const clock = createServerClock(() => own);
    clock.setOffset(800);
    expect(clock.now()).toBe(10_800);
    clock.setOffset(-200);
    expect(clock.now()).toBe(10_800);
    own = 10_900;
    expect(clock.now()).toBe(10_800);
    own = 11_100;
    expect(clock.now()).toBe(10_900);
  });

  test("goes back at once where it was wrong by more, instead of standing still for as long", () => {
    let own = 10_000;
    const clock = createServerClock(() => own);
    own = 3_610_000;
    expect(clock.now()).toBe(3_610_000);
    clock.setOffset(-3_600_000);
    expect(clock.now()).toBe(10_000);
  });
});

test.each([
  [0, "right"],
  [1000, "right"],
  [-1000, "right"],
  [1001, "off"],
  [-30_000, "off"],
  [30_001, "unbearable"],
  [-30_001, "unbearable"],
])("an offset of %i ms is %s", (offset, verdict) => {
  expect(clockVerdict(offset)).toBe(verdict);
});
