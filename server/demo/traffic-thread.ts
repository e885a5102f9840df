import { parentPort, workerData } from "node:worker_threads";
import { openCatalogue } from "../store/open-store.ts";
import type { DemoTrafficTask } from "./traffic-aside.ts";
import { seedDemoTraffic } from "./traffic-seed.ts";

/** The thread that seeds traffic, while the main one answers `/healthz`. It ends when all is committed. */
const run = async ({ database, now }: DemoTrafficTask): Promise<void> => {
  const catalogue = await openCatalogue({
    database,
    actor: { kind: "command_line", name: "demo data" },
    clock: () => now,
  });
  try {
    await seedDemoTraffic(catalogue, now);
  } finally {
    await catalogue.close();
  }
};

if (parentPort) await run(workerData);
