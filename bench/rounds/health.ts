import { setTimeout as pause } from "node:timers/promises";
import { openHttpClient } from "../http-client.ts";
import { percentile } from "../load/recording.ts";

/** Longer than that, and whoever watches a process takes it for dead. */
const mostMs = 1000;

export type Health = { asked: number; missed: number; p99: number };

/** Asks `/healthz` twenty times a second; what it takes is what the event loop lets a call wait. */
export function pollHealth(url: string): { end: () => Promise<Health> } {
  const client = openHttpClient(url, 1);
  const times: number[] = [];
  const state = { isOver: false, missed: 0 };
  const polling = (async () => {
    while (!state.isOver) {
      const from = performance.now();
      const status = await client.get("/healthz").then(
        (answer) => answer.status,
        () => 0,
      );
      const ms = performance.now() - from;
      times.push(ms);
      if (status !== 200 || ms > mostMs) state.missed += 1;
      await pause(Math.max(0, 50 - ms));
    }
  })();
  return {
    end: async () => {
      state.isOver = true;
      await polling;
      client.close();
      return { asked: times.length, missed: state.missed, p99: percentile(times, 99) };
    },
  };
}
