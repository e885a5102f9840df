import { Counter, Gauge, Histogram, Registry } from "prom-client";
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
  for (const metric of metrics) register(registry, metric, () => facts);
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

const register = (registry: Registry, metric: Metric, known: () => Facts | null): void => {
  const { name, help, labels, kind } = metric;
  const settings = { name, help, labelNames: [...labels], registers: [registry] };
  const values = (): Value[] => {
    const facts = known();
    return facts === null ? [] : valuesOf(metric, facts);
  };
  // Each registers itself.
  new kinds[kind](settings, values);
};

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

type Settings = { name: string; help: string; labelNames: string[]; registers: Registry[] };

class ToldCounter extends Counter {
  readonly #values: () => Value[];
  constructor(settings: Settings, values: () => Value[]) {
    super(settings);
    this.#values = values;
  }
  override async get() {
    return { ...(await super.get()), values: this.#values() };
  }
}

class ToldGauge extends Gauge {
  readonly #values: () => Value[];
  constructor(settings: Settings, values: () => Value[]) {
    super(settings);
    this.#values = values;
  }
  override async get() {
    return { ...(await super.get()), values: this.#values() };
  }
}

class ToldHistogram extends Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #values: () => Value[];
  constructor(settings: Settings, values: () => Value[]) {
    super(settings);
    this.#name = settings.name;
    this.#help = settings.help;
    this.#values = values;
  }
  /** What the registry asks of a histogram in place of `get`. */
  async getForPromString() {
    return { name: this.#name, help: this.#help, type: "histogram", values: this.#values() };
  }
}

const kinds = { counter: ToldCounter, gauge: ToldGauge, histogram: ToldHistogram };
