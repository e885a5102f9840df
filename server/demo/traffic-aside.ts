import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { DatabaseAddress } from "../store/database-address.ts";

/** Which database is to be filled, and the moment until which, in milliseconds since the epoch. */
export type DemoTrafficTask = { database: DatabaseAddress; now: number };

/**
 * Seeds the demo's traffic in a thread of its own; resolves when it is committed. Rejects with what the thread has failed of:
 * then nothing of it is there.
 */
export async function seedDemoTrafficAside(task: DemoTrafficTask): Promise<void> {
  const thread = new Worker(new URL("./traffic-thread.ts", import.meta.url), { workerData: task });
  await once(thread, "exit");
}
