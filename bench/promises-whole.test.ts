import { describePromises } from "./describe-promises.ts";

describePromises({
  budgetRace: { visitors: 2000, cap: 100, copies: 500, nodes: 2 },
  capRace: { clicks: 5000, dayCap: 40, totalCap: 100, advertiserCap: 70, kills: 2 },
  crash: { clients: 32, kills: 5, acksBetweenKills: 500 },
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
});
