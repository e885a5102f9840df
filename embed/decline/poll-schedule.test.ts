import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, answered, opened, retried, told, turn } from "./poll-schedule.ts";

const pending: Answer = { outcome: "pending", pollAfterMs: 2000 };
const refused = (retryAfterMs = 0): Answer => ({ outcome: "refused", retryAfterMs });
const session = () => opened(2000, 0, 0);

/** The pauses between polls that are all answered alike, without jitter, until the session is over. */
function pauses(answer: Answer, untilMs = 900_000): number[] {
  const found: number[] = [];
  let schedule = session();
  while (schedule.nextAtMs < untilMs) {
    const atMs = schedule.nextAtMs;
    schedule = answered(schedule, answer, atMs, 0);
    found.push(Math.round(schedule.nextAtMs - atMs));
  }
  return found;
}

describe("the pauses", () => {
  test("are the service's for a minute, then grow by half up to fifteen seconds", () => {
    expect(pauses(pending, 58_001).every((ms) => ms === 2000)).toBe(true);
    const later = pauses(pending).slice(29);
    expect(later.slice(0, 7)).toEqual([3000, 4500, 6750, 10_125, 15_000, 15_000, 15_000]);
    expect(pauses(pending).length).toBeLessThan(100);
  });

  test("double with every refusal up to a minute, and are the service's again after an answer", () => {
    expect(pauses(refused()).slice(0, 6)).toEqual([4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    const after = answered(answered(session(), refused(), 2000, 0), pending, 6000, 0);
    expect(after.nextAtMs).toBe(8000);
  });

  test("are never shorter than the service asks for", () => {
    expect(answered(session(), refused(30_000), 2000, 0).nextAtMs).toBe(32_000);
    expect(answered(session(), refused(1000), 2000, 0).nextAtMs).toBe(6000);
  });

  test.each([0, -5, Number.NaN, 10, 999])("are a second at least when the service says %d", (pollAfterMs) => {
    expect(opened(pollAfterMs, 0, 0).nextAtMs).toBe(1000);
  });

  test("begin anew when the visitor tries again, at once or when the service wants to be asked", () => {
    const failing = answered(answered(session(), refused(), 2000, 0), refused(), 6000, 0);
    const again = retried(failing, 7000);
    expect(again.nextAtMs).toBe(7000);
    expect(answered(again, refused(), 7000, 0).nextAtMs).toBe(9000);
    expect(retried(answered(session(), refused(30_000), 2000, 0), 7000).nextAtMs).toBe(32_000);
  });

  test("are those of a new session whatever the clock says at its opening", () => {
    const late = opened(2000, 1_000_000, 0);
    expect(late.nextAtMs).toBe(1_002_000);
    expect(answered(late, pending, 1_002_000, 0).nextAtMs).toBe(1_004_000);
  });

  test("part by up to a fifth, and only upwards", () => {
    expect(opened(2000, 0, 1).nextAtMs).toBe(2400);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const { nextAtMs } = answered(session(), pending, 2000, random);
        expect(nextAtMs).toBeGreaterThanOrEqual(4000);
        expect(nextAtMs).toBeLessThanOrEqual(4400);
      }),
    );
  });
});

describe("the turn", () => {
  test.each([
    ["before its time", 1500, false, { outcome: "wait", ms: 500 }],
    ["at its time", 2000, false, { outcome: "poll" }],
    ["on a hidden page", 2000, true, { outcome: "paused" }],
    ["on a hidden page, at the end", 900_000, true, { outcome: "expired" }],
    ["just before the end", 899_999, false, { outcome: "poll" }],
    ["at the end", 900_000, false, { outcome: "expired" }],
    ["long after", 5_000_000, false, { outcome: "expired" }],
  ])("%s", (_name, nowMs, isHidden, expected) => {
    expect(turn(session(), nowMs, isHidden)).toEqual(expected);
  });

  test("does not wait beyond the end", () => {
    const late = answered(session(), refused(60_000), 890_000, 0);
    expect(turn(late, 890_000, false)).toEqual({ outcome: "wait", ms: 10_000 });
  });

  test("tells of silence 20 s after the first poll that failed, however long none was made before, and once", () => {
    const failing = answered(session(), refused(), 300_000, 0);
    const still = answered(failing, refused(60_000), 310_000, 0);
    expect(turn(still, 310_000, false)).toEqual({ outcome: "wait", ms: 10_000 });
    expect(turn(still, 320_000, false)).toEqual({ outcome: "silent" });
    const after = answered(told(still), refused(60_000), 330_000, 0);
    expect(turn(after, 389_999, false)).toEqual({ outcome: "wait", ms: 1 });
    const heard = answered(after, pending, 390_000, 0);
    expect(turn(answered(heard, refused(60_000), 400_000, 0), 420_000, false)).toEqual({ outcome: "silent" });
  });

  test("of a shown page polls at once what fell due while it was hidden", () => {
    expect(turn(session(), 60_000, true).outcome).toBe("paused");
    expect(turn(session(), 60_000, false).outcome).toBe("poll");
  });
});
