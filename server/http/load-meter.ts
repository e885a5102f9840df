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

/** Often enough to notice within some hundredths of a second, seldom enough to cost nothing. */
const sampleMs = 20;
/** How much of what is measured each sample renews: what was a fifth of a second ago hardly counts. */
const renewal = 0.3;
/**
 * And of a share that falls. Who turns calls away is less busy for it: were that believed at once, all would be let in
 * again, some hundred too many, and so on in turn.
 */
const calming = 0.02;
const delayBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Measures by a timer how busy the event loop is, and counts the calls. One long pause (a collection of garbage, a
 * catalogue that is read) is one sample, and so no load.
 */
export function createLoadMeter(): LoadMeter {
  let busyShare = 0;
  let callsPerSecond = 0;
  let arrivals = 0;
  let underWay = 0;
  let sampledAt = performance.now();
  let used = performance.eventLoopUtilization();
  let inTurn = 0;
  const endTurn = (): void => {
    inTurn = 0;
  };
  const delays = createBuckets(delayBounds);
  const sample = (): void => {
    const now = performance.now();
    const elapsedMs = now - sampledAt;
    sampledAt = now;
    delays.add(Math.max(0, elapsedMs - sampleMs) / 1000);
    const since = used;
    used = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(used, since);
    busyShare += (utilization > busyShare ? renewal : calming) * (utilization - busyShare);
    callsPerSecond += renewal * ((arrivals * 1000) / elapsedMs - callsPerSecond);
    arrivals = 0;
  };
  const timer = setInterval(sample, sampleMs).unref();
  return {
    arrived: () => {
      arrivals += 1;
      if (inTurn === 0) setImmediate(endTurn);
      inTurn += 1;
    },
    underWay: (by) => {
      underWay += by;
    },
    pressure: () => ({ callsPerSecond, busyShare, inTurn, underWay }),
    delays: delays.read,
    draw: Math.random,
    stop: () => clearInterval(timer),
  };
}
