import type { BudgetRaceOptions } from "./budget-race.ts";
import type { CapRaceOptions } from "./cap-race.ts";
import type { CrashOptions } from "./crash.ts";
import type { HopFloodOptions } from "./hop-flood.ts";
import type { LockOptions } from "./lock.ts";
import type { PostgresCapsOptions } from "./postgres-caps.ts";
import type { ClocksOptions } from "./postgres-clocks.ts";
import type { PostgresCrashOptions } from "./postgres-crash.ts";
import type { FailoverOptions } from "./postgres-failover.ts";
import type { LimitsOptions } from "./postgres-limits.ts";
import type { OutageOptions } from "./postgres-outage.ts";
import type { PausedOptions } from "./postgres-paused.ts";
import type { RefusedPingsOptions } from "./refused-pings.ts";
import type { StoppingOptions } from "./stopping.ts";

/** How much of each promise is tried. What a number does not change, such as a token's bits, has none. */
export type PromiseSizes = {
  budgetRace: BudgetRaceOptions;
  capRace: CapRaceOptions;
  crash: CrashOptions;
  serverCrash: Omit<CrashOptions, "readyMs" | "random">;
  stopping: StoppingOptions;
  lock: LockOptions;
  hopFlood: HopFloodOptions;
  refusedPings: RefusedPingsOptions;
  /** Counters of a report, and how long it may take. */
  reports: { rows: number; mostMs: number };
  mixedEvents: number;
  postgresCrash: PostgresCrashOptions;
  postgresCaps: PostgresCapsOptions;
};

/** What several nodes promise while something of them is gone. */
export type OutageSizes = {
  outages: readonly OutageOptions[];
  failover: FailoverOptions;
  paused: PausedOptions;
  clocks: ClocksOptions;
  limits: LimitsOptions;
};

/**
 * As little as still meets each promise's edge. Times are long enough for a slow machine that does other things as well,
 * where anything may stand still for seconds: what is promised in time stands in the whole sizes.
 */
export const smallSizes: PromiseSizes = {
  budgetRace: { visitors: 400, cap: 50, copies: 100, nodes: 2 },
  capRace: { clicks: 350, dayCap: 8, totalCap: 12, advertiserCap: 10, kills: 1, shownMs: 15_000 },
  crash: { clients: 32, kills: 2, acksBetweenKills: 300, readyMs: 15_000 },
  serverCrash: { clients: 16, kills: 1, acksBetweenKills: 200 },
  stopping: { clients: 24, stops: 1, loadMs: 1000, stopMs: 15_000, mostTurnedAway: 25 },
  lock: { holdMs: 5000, writers: 8, slowestMs: 4000, healthP99Ms: 4000, backMs: 9000 },
  hopFlood: { seconds: 2, clients: 32, flushMs: 30_000 },
  refusedPings: { pings: 2000, clients: 32, flushMs: 30_000 },
  reports: { rows: 20_000, mostMs: 500 },
  mixedEvents: 3000,
  postgresCrash: {
    ...{ nodes: 2, clients: 32, nodeKills: 1, serverKills: 1, terminations: 1, acksBetween: 200 },
    ...{ readyMs: 15_000, writtenMs: 15_000 },
  },
  postgresCaps: {
    ...{ nodes: 2, runs: 2, clicks: 300, cap: 20 },
    ...{ clicksWhileLowered: 60, pages: 20, copies: 60 },
  },
};

/** As much as a promise is made for. */
export const wholeSizes: PromiseSizes = {
  budgetRace: { visitors: 2000, cap: 100, copies: 500, nodes: 2 },
  capRace: { clicks: 5000, dayCap: 40, totalCap: 100, advertiserCap: 70, kills: 2, shownMs: 2000 },
  crash: { clients: 64, kills: 20, acksBetweenKills: 2500, readyMs: 2000 },
  serverCrash: { clients: 16, kills: 3, acksBetweenKills: 300 },
  stopping: { clients: 24, stops: 3, loadMs: 1000, stopMs: 6000, mostTurnedAway: 0 },
  lock: { holdMs: 10_000, writers: 8, slowestMs: 250, healthP99Ms: 200, backMs: 2000 },
  hopFlood: { seconds: 10, clients: 32, flushMs: 5000 },
  refusedPings: { pings: 100_000, clients: 32, flushMs: 5000 },
  reports: { rows: 100_000, mostMs: 50 },
  mixedEvents: 50_000,
  postgresCrash: {
    nodes: 3,
    clients: 96,
    nodeKills: 20,
    serverKills: 6,
    terminations: 20,
    acksBetween: 1100,
    readyMs: 2000,
    writtenMs: 5000,
  },
  postgresCaps: {
    ...{ nodes: 4, runs: 20, clicks: 2000, cap: 100 },
    ...{ clicksWhileLowered: 400, pages: 200, copies: 500 },
  },
};

/** As little as still meets each promise's edge, on machines that do other things as well. */
export const smallOutages: OutageSizes = {
  outages: [{ seconds: 10, rate: 100, drainMs: 5000, drainRate: 0, slack: 10 }],
  failover: { visitors: 8, loadMs: 1000, backMs: 10_000 },
  paused: { pauses: 1, pauseMs: 6000, visitors: 8, rate: 50, slack: 10 },
  clocks: { shiftSeconds: 20, offMs: 1000 },
  limits: { nodes: 4, calls: 200, seconds: 4, mostMs: 3000 },
};

/** As much as a promise is made for. */
export const wholeOutages: OutageSizes = {
  outages: [
    { seconds: 30, rate: 500, drainMs: 5000, drainRate: 0, slack: 1 },
    { seconds: 300, rate: 2000, drainMs: 0, drainRate: 5000, slack: 1 },
  ],
  failover: { visitors: 16, loadMs: 2000, backMs: 3000 },
  paused: { pauses: 3, pauseMs: 10_000, visitors: 20, rate: 100, slack: 1 },
  clocks: { shiftSeconds: 20, offMs: 250 },
  limits: { nodes: 4, calls: 400, seconds: 10, mostMs: 1000 },
};
