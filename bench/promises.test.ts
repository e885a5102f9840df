import { describePromises } from "./describe-promises.ts";

/** As little as still meets each promise's edge; the whole of it is in promises-whole.test.ts. */
describePromises({
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
});
