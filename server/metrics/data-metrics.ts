import { alone, byLabel, type Metric } from "./metric.ts";

const daySeconds = 24 * 60 * 60;

/** By what visitors are located and judged. */
export const dataMetrics: readonly Metric[] = [
  {
    name: "offers_geo_data_age_seconds",
    kind: "gauge",
    help: "Age of each set of location data, in whole days; rank 1 answers first.",
    labels: ["source", "rank"],
    read: ({ service }) =>
      (service?.geo ?? []).map(({ source, ageDays }, at) => ({
        labels: { source, rank: String(at + 1) },
        value: ageDays * daySeconds,
      })),
  },
  {
    name: "offers_geo_lookups_total",
    kind: "counter",
    help: "Addresses that were looked for, at a decision or by who asks how the service sees them, by the set of data that knew their address; none: no set does.",
    labels: ["source"],
    read: ({ located }) => byLabel("source", located.bySource),
  },
  {
    name: "offers_geo_disputed_lookups_total",
    kind: "counter",
    help: "Of these, visitors whose address another set of data has in another country.",
    labels: [],
    read: ({ located }) => alone(located.disputed),
  },
  {
    name: "offers_network_list_age_seconds",
    kind: "gauge",
    help: "Age of each list of networks in which no visitor sits, in whole days.",
    labels: ["kind"],
    read: ({ service }) =>
      byLabel(
        "kind",
        (service?.networks ?? []).map(({ kind, ageDays }) => [kind, ageDays * daySeconds]),
      ),
  },
];
