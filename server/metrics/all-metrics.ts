import { dataMetrics } from "./data-metrics.ts";
import type { Metric } from "./metric.ts";
import { processMetrics } from "./process-metrics.ts";
import { storeMetrics } from "./store-metrics.ts";
import { trafficMetrics } from "./traffic-metrics.ts";

/** Every metric of the service, in the order in which they are told. docs/metrics.md has a line for each. */
export const allMetrics: readonly Metric[] = [
  ...processMetrics,
  ...trafficMetrics,
  ...storeMetrics,
  ...dataMetrics,
];
