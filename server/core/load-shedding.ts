import type { LoadClass } from "@offers/contract/endpoints";

/** How much there is to do. */
export type Pressure = {
  /** Calls that arrived within the last second, as of now. */
  callsPerSecond: number;
  /** By how many milliseconds of its own work the process is late for everything it does, smoothed. */
  lateMs: number;
  /** Entries of the journal that wait in memory for their commit. */
  waiting: number;
  /** Calls that are not answered yet. */
  underWay: number;
};

/** With fewer calls than these the process is late for another reason, and turning them away would not help. */
const fewCallsPerSecond = 200;

/**
 * What is as much as there may ever be: then even the click hop is turned away. Late by 40 ms, the process answers many
 * times slower than at leisure. 40,000 entries are a second of a good disk's work; the journal itself is full at 50,000,
 * for what waits there for a lock that somebody holds is no load yet. 8,000 calls are near the 10,000 connections that
 * there may be.
 */
const most = { lateMs: 40, waiting: 40_000, underWay: 8000 } as const;

/**
 * How many calls may be under way while the process itself has more to do than it has time for, since then they wait for
 * it and not for a disk: the more of them there are at once, the more each one costs, up to twice as much. Behind 300 of them
 * nobody waits for long, and a crowd of 256 clients is still answered whole (decisions.md#shedding). A click hop is not turned
 * away for it: its visitor would stand before an error, and there are few.
 */
const busy = { lateMs: 3, underWay: 300 } as const;

/** From which share of that on a class is turned away, in the order of the contract's list. */
const shedFrom: Record<LoadClass, number> = {
  reports: 0.25,
  docs: 0.3,
  dashboard: 0.4,
  offers: 0.5,
  decision: 0.6,
  events: 0.75,
  hop: 1,
};
/** Behind the threshold more and more calls are turned away, all of them half as much again further up. */
const rampTo = 1.5;

/**
 * Says whether a call is turned away at the door. What waits for the disk turns no click hop away: a visitor whose click
 * cannot be stored arrives all the same (decisions.md#hop-outlasts-a-lock).
 * @param draw a random number from 0 to 1, so that of equal calls a share is turned away: all or none would swing to
 * and fro.
 */
export function shouldShed(pressure: Pressure, kind: LoadClass, draw: number): boolean {
  const { callsPerSecond, lateMs, waiting, underWay } = pressure;
  const late = callsPerSecond < fewCallsPerSecond ? 0 : lateMs;
  const level = Math.max(
    late / most.lateMs,
    kind === "hop" ? 0 : waiting / most.waiting,
    underWay / (late < busy.lateMs || kind === "hop" ? most.underWay : busy.underWay),
  );
  const from = shedFrom[kind];
  return draw < (level / from - 1) / (rampTo - 1);
}

/** Whole seconds after which a caller that was turned away may try again: 1 to 3, so that they do not all come back together. */
export function retryAfterSeconds(draw: number): number {
  return 1 + Math.floor(draw * 3);
}
