import { Gauge, Registry } from "prom-client";
import type { BucketCounts } from "../core/buckets.ts";
import { allMetrics } from "./all-metrics.ts";
import type { Facts, Labels, Metric } from "./metric.ts";

/** All metrics as Prometheus' text of what is known. */
export type MetricsText = { contentType: string; write(facts: Facts): Promise<string> };

/**
 * Prepares the registry. Its metrics hold no values: each is read out of the facts of a scrape, so that nothing is counted
 * twice, and what is not known is absent and not 0.
 */
export function prepareMetricsText(metrics: readonly Metric[] = allMetrics): MetricsText {
  const registry = new Registry();
  let facts: Facts | null = null;
  // Each registers itself.
  for (const metric of metrics) new ToldMetric(registry, metric, () => facts);
  return {
    contentType: registry.contentType,
    // The facts stay for as long as the text is made, for the scrapes come one after another.
    write: (known) => {
      facts = known;
      return registry.metrics();
    },
  };
}

type Value = { metricName?: string; labels: Labels; value: number };

/**
 * A metric of any kind whose values are told and not held. The registry takes all that it writes from whoever has
 * `getForPromString`, as its own histogram has: what the library takes for a gauge is never asked for a gauge's value.
 */
class ToldMetric extends Gauge {
  readonly #metric: Metric;
  readonly #known: () => Facts | null;

  constructor(registry: Registry, metric: Metric, known: () => Facts | null) {
    super({ name: metric.name, help: metric.help, labelNames: [...metric.labels], registers: [registry] });
    this.#metric = metric;
    this.#known = known;
  }

  async getForPromString() {
    const { name, help, kind } = this.#metric;
    const facts = this.#known();
    return { name, help, type: kind, values: facts === null ? [] : valuesOf(this.#metric, facts) };
  }
}

const valuesOf = (metric: Metric, facts: Facts): Value[] => {
  if (metric.kind !== "histogram") return metric.read(facts);
  return metric.read(facts).flatMap(({ labels, counts }) => bucketValues(metric.name, labels, counts));
};

const bucketValues = (
  name: string,
  labels: Labels,
  { bounds, atMost, sum, count }: BucketCounts,
): Value[] => [
  ...bounds.map((bound, at) => ({
    metricName: `${name}_bucket`,
    labels: { ...labels, le: String(bound) },
    value: atMost[at] ?? 0,
  })),
  { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
  { metricName: `${name}_sum`, labels, value: sum },
  { metricName: `${name}_count`, labels, value: count },
];
