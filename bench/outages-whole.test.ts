import { describeOutages } from "./describe-outages.ts";

describeOutages({
  outages: [
    { seconds: 30, rate: 500, drainMs: 5000, drainRate: 0, slack: 1 },
    { seconds: 300, rate: 2000, drainMs: 0, drainRate: 5000, slack: 1 },
  ],
  failover: { visitors: 16, loadMs: 2000, backMs: 3000 },
  paused: { pauses: 3, pauseMs: 10_000, visitors: 20, rate: 100, slack: 1 },
  clocks: { shiftSeconds: 20, offMs: 250 },
  limits: { nodes: 4, calls: 400, seconds: 10, mostMs: 1000 },
});
