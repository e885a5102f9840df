import { describeOutages } from "./describe-outages.ts";

/** As little as still meets each promise's edge, on machines that do other things as well; the whole of it is in outages-whole.test.ts. */
describeOutages({
  outages: [{ seconds: 8, rate: 100, drainMs: 5000, drainRate: 0, slack: 10 }],
  failover: { visitors: 8, loadMs: 1000, backMs: 10_000 },
  paused: { pauses: 1, pauseMs: 3000, visitors: 8, rate: 50, slack: 10 },
  clocks: { shiftSeconds: 20, offMs: 1000 },
  limits: { nodes: 4, calls: 200, seconds: 4, mostMs: 3000 },
});
