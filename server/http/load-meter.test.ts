import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLoadMeter, type LoadMeter } from "./load-meter.ts";

let meter: LoadMeter;
beforeEach(() => {
  meter = createLoadMeter();
});
afterEach(() => meter.stop());

/** Keeps the event loop busy for so many milliseconds. */
const work = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
const nextTurn = () => new Promise((resume) => setTimeout(resume, 0));
/** Keeps it busy turn after turn, with calls in each of them. */
const overload = async (): Promise<void> => {
  for (let turn = 0; turn < 16; turn += 1) {
    for (let call = 0; call < 100; call += 1) meter.arrived();
    work(30);
    await nextTurn();
  }
};

describe("the load meter", () => {
  it("knows of no load while there is none", () => {
    expect(meter.pressure()).toEqual({ callsPerSecond: 0, busyShare: 0, inTurn: 0, underWay: 0 });
  });

  it("counts the calls that are not answered yet", () => {
    meter.underWay(1);
    meter.underWay(1);
    meter.underWay(-1);
    expect(meter.pressure().underWay).toBe(1);
  });

  it("is busy when one turn after another has more to do than there is time for, and some seconds later no more", async () => {
    await overload();
    const { busyShare, callsPerSecond } = meter.pressure();
    expect(busyShare).toBeGreaterThan(0.9);
    expect(busyShare).toBeLessThanOrEqual(1);
    expect(callsPerSecond).toBeGreaterThan(200);
    await expect.poll(() => meter.pressure().busyShare, { timeout: 10_000 }).toBeLessThan(0.4);
  });

  it("believes a rest of a tenth of a second no calm", async () => {
    await overload();
    await new Promise((resume) => setTimeout(resume, 100));
    expect(meter.pressure().busyShare).toBeGreaterThan(0.5);
  });

  it("takes a single long pause for no load, and several turns without one for load", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const measured = vi.spyOn(performance, "eventLoopUtilization");
    const sampled = createLoadMeter();
    /** What share of the time until the next sample was used. */
    const pass = (utilization: number): number => {
      measured.mockReturnValue({ idle: 0, active: 0, utilization });
      vi.advanceTimersByTime(20);
      return sampled.pressure().busyShare;
    };
    try {
      expect(pass(1)).toBeLessThanOrEqual(0.5);
      expect(pass(0)).toBeLessThanOrEqual(0.5);
      for (let turn = 0; turn < 4; turn += 1) pass(1);
      expect(sampled.pressure().busyShare).toBeGreaterThan(0.7);
    } finally {
      sampled.stop();
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it("counts the calls of this turn of the event loop, and begins anew with the next", async () => {
    for (let call = 0; call < 3; call += 1) meter.arrived();
    expect(meter.pressure().inTurn).toBe(3);
    await new Promise(setImmediate);
    expect(meter.pressure().inTurn).toBe(0);
    meter.arrived();
    expect(meter.pressure().inTurn).toBe(1);
  });
});
