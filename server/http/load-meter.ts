import { type BucketCounts, createBuckets } from "../core/buckets.ts";
import type { Pressure } from "../core/load-shedding.ts";

/** Knows how much there is to do. */
export type LoadMeter = {
  /** A call has arrived. */
  arrived(): void;
  /** A call is waited for; to be called again with -1 when it is answered. */
  underWay(by: 1 | -1): void;
  pressure(): Omit<Pressure, "waiting">;
  /** By how many seconds the event loop was late for each sample, whoever kept it: work of its own, or another process. */
  delays(): BucketCounts;
  /** From 0 to 1, for decisions by lot. */
  draw(): number;
  stop(): void;
};

/** Often enough to notice within two hundredths of a second, seldom enough to cost nothing. */
const sampleMs = 20;
/** One long pause (a collection of garbage, a catalogue that is read) is no load: it may not count for more than this. */
const longestLateMs = 100;
/** How much of the measured lateness each sample renews: what was a fifth of a second ago hardly counts. */
const renewal = 0.3;
const delayBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Measures by a timer how late the process is, and counts its calls. A turn of the event loop answers whoever has
 * called since the last one, so the work of a turn is the queue. It is measured in time of the processor: a machine
 * that has no time for us is not helped by calls that are turned away.
 */
export function createLoadMeter(): LoadMeter {
  let lateMs = 0;
  let callsPerSecond = 0;
  let arrivals = 0;
  let underWay = 0;
  let sampledAt = performance.now();
  let worked = process.threadCpuUsage();
  const delays = createBuckets(delayBounds);
  const sample = (): void => {
    const now = performance.now();
    const elapsedMs = now - sampledAt;
    const { user, system } = process.threadCpuUsage(worked);
    worked = { user: worked.user + user, system: worked.system + system };
    sampledAt = now;
    delays.add(Math.max(0, elapsedMs - sampleMs) / 1000);
    const late = Math.min(longestLateMs, Math.max(0, (user + system) / 1000 - sampleMs));
    lateMs += renewal * (late - lateMs);
    callsPerSecond += renewal * ((arrivals * 1000) / elapsedMs - callsPerSecond);
    arrivals = 0;
  };
  const timer = setInterval(sample, sampleMs).unref();
  return {
    arrived: () => {
      arrivals += 1;
    },
    underWay: (by) => {
      underWay += by;
    },
    pressure: () => ({ callsPerSecond, lateMs, underWay }),
    delays: delays.read,
    draw: Math.random,
    stop: () => clearInterval(timer),
  };
}
