import type { LoadClass } from "@offers/contract/endpoints";

/** How much there is to do. */
export type Pressure = {
  /** Calls that arrived within the last second, as of now. */
  callsPerSecond: number;
  /** From 0 to 1: the share of its time in which the event loop had something to do; rises fast and falls slowly. */
  busyShare: number;
  /** Calls that this turn of the event loop has brought so far. */
  inTurn: number;
  /** Entries of the journal that wait in memory for their commit. */
  waiting: number;
  /** Calls that are not answered yet. */
  underWay: number;
};

/**
 * From when on the process itself has more to do than it has time for. One that was half busy comes to this share when it has
 * had no rest for a tenth of a second: it catches up with a slow commit in less, and nobody is to be turned away for that. With
 * fewer calls than these it is busy for another reason, and turning them away would not help.
 */
const busyFrom = { share: 0.9, callsPerSecond: 200 } as const;

/**
 * How many calls may be under way while the process is busy, since then they wait for it and not for a disk: each of
 * them waits for the commit of those before it. With so many the commits are as large as they have to be, and whoever is
 * let in waits some two times as long as at leisure (decisions.md#shedding). A click hop is not turned away for it: its
 * visitor would stand before an error, and there are few.
 */
const busyMost = 92;

/**
 * What is as much as there may ever be: then even the click hop is turned away. 800 calls in one turn of a busy process are
 * some 30 ms of those that need no commit (decisions.md#shedding-by-turn). 40,000 entries are a second of a good disk's
 * work; the journal itself is full at 50,000, for what waits there for a lock that somebody holds is no load yet. 8,000
 * calls are near the 10,000 connections that there may be.
 */
const most = { inTurn: 800, waiting: 40_000, underWay: 8000 } as const;

/** From which share of that on a class is turned away, in the order of the contract's list. */
const shedFrom: Record<LoadClass, number> = {
  reports: 0.4,
  docs: 0.5,
  dashboard: 0.6,
  offers: 0.7,
  decision: 0.8,
  events: 0.9,
  hop: 1,
};
/** Behind the threshold more and more calls are turned away, all of them a quarter as much again further up. */
const rampTo = 1.25;
/** But of a turn that has brought too many no more than these: to refuse costs half of what such an answer does. */
const shareOfTurn = 0.6;

/**
 * Says whether a call is turned away at the door. What waits for the disk turns no click hop away: a visitor whose click
 * cannot be stored arrives all the same (decisions.md#hop-outlasts-a-lock).
 * @param draw a random number from 0 to 1, so that of equal calls a share is turned away: all or none would swing to
 * and fro.
 */
export function shouldShed(pressure: Pressure, kind: LoadClass, draw: number): boolean {
  const { callsPerSecond, busyShare, inTurn, waiting, underWay } = pressure;
  const isBusy = busyShare >= busyFrom.share && callsPerSecond >= busyFrom.callsPerSecond;
  const level = Math.max(
    kind === "hop" ? 0 : waiting / most.waiting,
    underWay / (isBusy && kind !== "hop" ? busyMost : most.underWay),
  );
  const from = shedFrom[kind];
  const isCrowded = isBusy && inTurn > from * most.inTurn;
  return draw < Math.max(isCrowded ? shareOfTurn : 0, (level / from - 1) / (rampTo - 1));
}

/** Whole seconds after which a caller that was turned away may try again; one of them is drawn, so that they do not all come back together. */
export const retryAfterSeconds = [1, 2, 3] as const;
