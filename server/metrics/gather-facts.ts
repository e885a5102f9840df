import { readdir } from "node:fs/promises";
import { getHeapStatistics } from "node:v8";
import type { Context } from "../context.ts";
import { dataAgeDays } from "../core/data-age.ts";
import type { DatabaseMeasures } from "../core/database-measures.ts";
import { type NamedThread, type ThreadUsage, threadUsage } from "../core/thread-usage.ts";
import { readinessWarnings, refusalToServe } from "../http/readiness.ts";
import type { StoreCounts } from "../store/store.ts";
import type { DatabaseWatch } from "./database-watch.ts";
import { within } from "./within.ts";

/** What is known of the service at one scrape, whoever knows it. */
export type ServiceFacts = {
  isReady: boolean;
  warnings: number;
  counts: StoreCounts;
  /** Null: it cannot be asked. */
  measures: DatabaseMeasures | null;
  /** Of the data directory; null where the system does not say. */
  disk: { freeBytes: number; totalBytes: number } | null;
  load: ReturnType<Context["load"]["pressure"]> & { delays: ReturnType<Context["load"]["delays"]> };
  unstoredClicks: number;
  /** In the order in which they answer. */
  geo: { source: string; ageDays: number }[];
  networks: { kind: string; ageDays: number }[];
  /** Without those that do not answer in time. */
  threads: { thread: NamedThread["name"]; usage: ThreadUsage }[];
};

/** What is known of the process alone. */
export type ProcessFacts = {
  cpu: { userSeconds: number; systemSeconds: number };
  residentBytes: number;
  startedAtSeconds: number;
  /** Null where the system does not say. */
  openFiles: number | null;
};

/** For so long one part is waited for: a scraper waits for seconds, and wants the others' figures then. */
export const partMs = 700;

/** Asks everything at the side, each part for so long and no longer: whoever does not answer is left out. */
export async function gatherService(context: Context, database: DatabaseWatch): Promise<ServiceFacts> {
  const { store, desk, load, geo, networks, unstoredClicks } = context;
  const now = context.clock();
  const [vitals, measures, ...threads] = await Promise.all([
    within(partMs, store.vitals()),
    database.read(() => store.measure()),
    ...[mainThread, ...store.threads(), ...desk.threads()].map(async ({ name: thread, usage }) => ({
      thread,
      usage: await within(partMs, usage()),
    })),
  ]);
  return {
    isReady: refusalToServe(context) === null,
    warnings: readinessWarnings(context).length,
    counts: store.counts(),
    measures,
    disk: vitals?.disk ?? null,
    load: { ...load.pressure(), delays: load.delays() },
    unstoredClicks: unstoredClicks.total(),
    geo: geo.sources().map(({ name, date }) => ({ source: name, ageDays: dataAgeDays(date, now) })),
    networks: networks.lists().map(({ kind, date }) => ({ kind, ageDays: dataAgeDays(date, now) })),
    threads: threads.flatMap(({ thread, usage }) => (usage === null ? [] : [{ thread, usage }])),
  };
}

const mainThread: NamedThread = {
  name: "main",
  usage: async () => threadUsage(process.threadCpuUsage(), getHeapStatistics()),
};

export async function gatherProcess(): Promise<ProcessFacts> {
  const { user, system } = process.cpuUsage();
  return {
    cpu: { userSeconds: user / 1e6, systemSeconds: system / 1e6 },
    residentBytes: process.memoryUsage.rss(),
    startedAtSeconds: performance.timeOrigin / 1000,
    openFiles: await within(
      partMs,
      readdir("/proc/self/fd").then((files) => files.length),
    ),
  };
}
