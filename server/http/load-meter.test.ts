import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLoadMeter, type LoadMeter } from "./load-meter.ts";

let meter: LoadMeter;
beforeEach(() => {
  meter = createLoadMeter();
});
afterEach(() => meter.stop());

/** Keeps the processor busy for so many milliseconds of its own time. */
const work = (ms: number): void => {
  const until = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(until);
    if ((user + system) / 1000 >= ms) return;
  }
};
const nextTurn = () => new Promise((resume) => setTimeout(resume, 0));

describe("the load meter", () => {
  it("knows of no load while there is none", () => {
    expect(meter.pressure()).toEqual({ callsPerSecond: 0, lateMs: 0, underWay: 0 });
  });

  it("counts the calls that are not answered yet", () => {
    meter.underWay(1);
    meter.underWay(1);
    meter.underWay(-1);
    expect(meter.pressure().underWay).toBe(1);
  });

  it("is late when one turn after another has more to do than there is time for, and not after that", async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      for (let call = 0; call < 100; call += 1) meter.arrived();
      work(60);
      await nextTurn();
    }
    const busy = meter.pressure();
    expect(busy.lateMs).toBeGreaterThan(20);
    expect(busy.callsPerSecond).toBeGreaterThan(100);
    await expect.poll(() => meter.pressure().lateMs, { timeout: 5000 }).toBeLessThan(1);
  });

  it("takes a single long pause for no load", async () => {
    work(400);
    await nextTurn();
    expect(meter.pressure().lateMs).toBeLessThanOrEqual(30);
  });
});
