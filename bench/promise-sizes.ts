import type { OutageSizes } from "./describe-outages.ts";
import type { PromiseSizes } from "./describe-promises.ts";

/** As little as still meets each promise's edge. */
export const smallSizes: PromiseSizes = {
  budgetRace: { visitors: 400, cap: 50, copies: 100, nodes: 2 },
  capRace: { clicks: 350, dayCap: 8, totalCap: 12, advertiserCap: 10, kills: 1 },
  crash: { clients: 32, kills: 2, acksBetweenKills: 300 },
  serverCrash: { clients: 16, kills: 1, acksBetweenKills: 200 },
  stopping: { clients: 24, stops: 1, loadMs: 1000 },
  floodSeconds: 2,
  refusedPings: 2000,
  // Three times what it takes alone: this runs on machines that do other things as well.
  reports: { rows: 20_000, mostMs: 150 },
  mixedEvents: 3000,
  postgresCrash: { nodes: 2, clients: 32, nodeKills: 1, serverKills: 1, terminations: 1, acksBetween: 200 },
};

/** As much as a promise is made for. */
export const wholeSizes: Required<PromiseSizes> = {
  budgetRace: { visitors: 2000, cap: 100, copies: 500, nodes: 2 },
  capRace: { clicks: 5000, dayCap: 40, totalCap: 100, advertiserCap: 70, kills: 2 },
  crash: { clients: 64, kills: 20, acksBetweenKills: 2500 },
  serverCrash: { clients: 16, kills: 3, acksBetweenKills: 300 },
  stopping: { clients: 24, stops: 3, loadMs: 1000 },
  floodSeconds: 10,
  refusedPings: 100_000,
  reports: { rows: 100_000, mostMs: 50 },
  mixedEvents: 50_000,
  postgresCrash: {
    nodes: 3,
    clients: 96,
    nodeKills: 20,
    serverKills: 6,
    terminations: 20,
    acksBetween: 1100,
  },
  postgres: {
    caps: {
      ...{ nodes: 4, runs: 20, clicks: 2000, cap: 100 },
      ...{ clicksWhileLowered: 400, pages: 200, copies: 500 },
    },
    mixedEvents: 50_000,
  },
};

/** As little as still meets each promise's edge, on machines that do other things as well. */
export const smallOutages: OutageSizes = {
  outages: [{ seconds: 8, rate: 100, drainMs: 5000, drainRate: 0, slack: 10 }],
  failover: { visitors: 8, loadMs: 1000, backMs: 10_000 },
  paused: { pauses: 1, pauseMs: 3000, visitors: 8, rate: 50, slack: 10 },
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
