import type { BucketCounts } from "../core/buckets.ts";
import type { ProcessFacts, ServiceFacts } from "./gather-facts.ts";
import type { RequestCounts } from "./request-meter.ts";

/** Everything that one scrape is answered from. */
export type Facts = {
  build: { version: string; node_version: string; engine: string };
  process: ProcessFacts;
  requests: RequestCounts;
  /** Connections that were ended, by the limit that was passed. */
  refusedConnections: ReadonlyMap<string, number>;
  logEvents: readonly { event: string; level: string; events: number }[];
  located: { bySource: ReadonlyMap<string, number>; disputed: number };
  /** Null: the service is starting. */
  service: ServiceFacts | null;
};

export type Labels = Record<string, string>;

/** One metric: what it is called, what it means, and its values. A label's values are words of a closed list. */
export type Metric = { name: `offers_${string}`; help: string; labels: readonly string[] } & (
  | { kind: "counter" | "gauge"; read: (facts: Facts) => { labels: Labels; value: number }[] }
  | { kind: "histogram"; read: (facts: Facts) => { labels: Labels; counts: BucketCounts }[] }
);

/** A value without a label. */
export function alone(value: number | null | undefined): { labels: Labels; value: number }[] {
  return value === null || value === undefined ? [] : [{ labels: {}, value }];
}

/** A value for each word of a list, under one label. */
export function byLabel(
  label: string,
  counts: Iterable<readonly [word: string, count: number]>,
): { labels: Labels; value: number }[] {
  return [...counts].map(([word, value]) => ({ labels: { [label]: word }, value }));
}
