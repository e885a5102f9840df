import type { ThreadUsage } from "../core/thread-usage.ts";
import { alone, type Facts, type Labels, type Metric } from "./metric.ts";

/** What runs, whether it takes visitors, and what it uses. */
export const processMetrics: readonly Metric[] = [
  {
    name: "offers_build_info",
    kind: "gauge",
    help: "Always 1. What runs: the service's version, Node's, and the engine of the database.",
    labels: ["version", "node_version", "engine"],
    read: ({ build }) => [{ labels: build, value: 1 }],
  },
  {
    name: "offers_ready",
    kind: "gauge",
    help: "What /readyz says: 1 while new visitors may be sent here.",
    labels: [],
    read: ({ service }) => alone(Number(service?.isReady === true)),
  },
  {
    name: "offers_readiness_warnings",
    kind: "gauge",
    help: "How many warnings /readyz tells beside that.",
    labels: [],
    read: ({ service }) => alone(service?.warnings),
  },
  {
    name: "offers_event_loop_delay_seconds",
    kind: "histogram",
    help: "By how much the main thread is late for a timer of 20 milliseconds, whatever keeps it.",
    labels: [],
    read: ({ service }) => (service ? [{ labels: {}, counts: service.load.delays }] : []),
  },
  {
    name: "offers_event_loop_busy_ratio",
    kind: "gauge",
    help: "The share of its time in which the main thread has something to do, held for a second: from 0.9 on few calls may be under way.",
    labels: [],
    read: ({ service }) => alone(service?.load.busyShare),
  },
  {
    name: "offers_thread_cpu_seconds_total",
    kind: "counter",
    help: "Time of the processor, by thread. What belongs to no thread of ours is in the process's alone.",
    labels: ["thread", "mode"],
    read: ({ service }) =>
      (service?.threads ?? []).flatMap(({ thread, usage }) => [
        { labels: { thread, mode: "user" }, value: usage.userSeconds },
        { labels: { thread, mode: "system" }, value: usage.systemSeconds },
      ]),
  },
  {
    name: "offers_thread_heap_used_bytes",
    kind: "gauge",
    help: "Objects of each thread, those included that nobody needs any more.",
    labels: ["thread"],
    read: (facts) => byThread(facts, ({ heapUsedBytes }) => heapUsedBytes),
  },
  {
    name: "offers_thread_heap_size_bytes",
    kind: "gauge",
    help: "What each thread has taken from the system for its objects.",
    labels: ["thread"],
    read: (facts) => byThread(facts, ({ heapTotalBytes }) => heapTotalBytes),
  },
  {
    name: "offers_thread_external_bytes",
    kind: "gauge",
    help: "What objects of each thread hold beside its heap, such as buffers.",
    labels: ["thread"],
    read: (facts) => byThread(facts, ({ externalBytes }) => externalBytes),
  },
  {
    name: "offers_process_cpu_seconds_total",
    kind: "counter",
    help: "Time of the processor of the whole process, collection of garbage and compilation included.",
    labels: ["mode"],
    read: ({ process: { cpu } }) => [
      { labels: { mode: "user" }, value: cpu.userSeconds },
      { labels: { mode: "system" }, value: cpu.systemSeconds },
    ],
  },
  {
    name: "offers_process_resident_memory_bytes",
    kind: "gauge",
    help: "Memory of the whole process.",
    labels: [],
    read: ({ process: { residentBytes } }) => alone(residentBytes),
  },
  {
    name: "offers_process_open_fds",
    kind: "gauge",
    help: "Linux: open files and connections of the process.",
    labels: [],
    read: ({ process: { openFiles } }) => alone(openFiles),
  },
  {
    name: "offers_process_start_time_seconds",
    kind: "gauge",
    help: "When the process was started, in seconds since 1970.",
    labels: [],
    read: ({ process: { startedAtSeconds } }) => alone(startedAtSeconds),
  },
];

const byThread = (
  { service }: Facts,
  read: (usage: ThreadUsage) => number,
): { labels: Labels; value: number }[] =>
  (service?.threads ?? []).map(({ thread, usage }) => ({ labels: { thread }, value: read(usage) }));
