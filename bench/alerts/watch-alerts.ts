import { setTimeout as pause } from "node:timers/promises";
import type { Prometheus } from "../prometheus.ts";

/** What Prometheus says of its alerts, from the first look on. */
export type AlertWatch = {
  /** When an alert of a job was first seen firing, by `performance.now()`; undefined: it never was. */
  firedAt: (job: string, name: string) => number | undefined;
  /** Every alert of every job that has fired. */
  fired: () => { job: string; name: string }[];
  /** Resolves to whether it fires before that moment. */
  untilFired: (job: string, name: string, deadline: number) => Promise<boolean>;
  end: () => Promise<void>;
};

type Told = { alerts: { labels: Record<string, string>; state: "pending" | "firing" }[] };

const lookEveryMs = 1000;

export function watchAlerts(prometheus: Pick<Prometheus, "read">): AlertWatch {
  const seen = new Map<string, { job: string; name: string; at: number }>();
  const keyOf = (job: string, name: string): string => `${job} ${name}`;
  let going = true;
  const looking = (async () => {
    while (going) {
      const { alerts } = await prometheus.read<Told>("/api/v1/alerts").catch(() => ({ alerts: [] }));
      for (const { labels, state } of alerts) {
        const { job = "", alertname: name = "" } = labels;
        if (state !== "firing" || seen.has(keyOf(job, name))) continue;
        seen.set(keyOf(job, name), { job, name, at: performance.now() });
      }
      await pause(lookEveryMs);
    }
  })();
  const firedAt: AlertWatch["firedAt"] = (job, name) => seen.get(keyOf(job, name))?.at;
  return {
    firedAt,
    fired: () => [...seen.values()],
    untilFired: async (job, name, deadline) => {
      while (firedAt(job, name) === undefined && performance.now() < deadline) await pause(lookEveryMs);
      return firedAt(job, name) !== undefined;
    },
    end: async () => {
      going = false;
      await looking;
    },
  };
}
