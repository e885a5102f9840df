import type { QueueReading } from "../store/journal/journal.ts";
import { alone, byLabel, type Facts, type Labels, type Metric } from "./metric.ts";

/** What becomes of events, and of what waits for the database. */
export const storeMetrics: readonly Metric[] = [
  {
    name: "offers_events_total",
    kind: "counter",
    help: "Events that this process has committed, by kind: counted, or the reason why not.",
    labels: ["type", "outcome"],
    read: ({ service }) =>
      (service?.counts.committed ?? []).map(({ events: value, ...labels }) => ({ labels, value })),
  },
  {
    name: "offers_unbilled_clicks_total",
    kind: "counter",
    help: "Clicks that could not be stored in time: their visitors went on, unbilled but where a slow commit still succeeds.",
    labels: [],
    read: ({ service }) => alone(service?.unstoredClicks),
  },
  {
    name: "offers_exhausted_offers",
    kind: "gauge",
    help: "Offers that have nothing left for one more event.",
    labels: [],
    read: ({ service }) => alone(service?.counts.exhaustedOffers),
  },
  {
    name: "offers_journal_waiting_entries",
    kind: "gauge",
    help: "Entries that are not committed yet, those in the spool included.",
    labels: ["lane"],
    read: (facts) => byLane(facts, ({ waiting }) => waiting),
  },
  {
    name: "offers_journal_oldest_entry_seconds",
    kind: "gauge",
    help: "How long the oldest entry in memory has waited for its commit; 0: none waits.",
    labels: ["lane"],
    read: (facts) => byLane(facts, ({ oldestMs }) => oldestMs / 1000),
  },
  {
    name: "offers_journal_refusing",
    kind: "gauge",
    help: "1 while the database has refused the last batch.",
    labels: ["lane"],
    read: (facts) => byLane(facts, ({ isRefusing }) => Number(isRefusing)),
  },
  {
    name: "offers_journal_commit_duration_seconds",
    kind: "histogram",
    help: "From a batch's leave to the answer that it is committed.",
    labels: ["lane"],
    read: ({ service }) =>
      (service?.counts.queues ?? []).map(({ lane, commitSeconds: counts }) => ({ labels: { lane }, counts })),
  },
  {
    name: "offers_journal_commit_entries",
    kind: "histogram",
    help: "Entries that share a commit.",
    labels: ["lane"],
    read: ({ service }) =>
      (service?.counts.queues ?? []).map(({ lane, commitEntries: counts }) => ({ labels: { lane }, counts })),
  },
  {
    name: "offers_spool_entries",
    kind: "gauge",
    help: "Visits that wait for PostgreSQL on this node's own disk.",
    labels: [],
    read: ({ service }) =>
      alone(service?.counts.queues.map(({ spooled }) => spooled).find((spooled) => spooled !== null)),
  },
  {
    name: "offers_log_events_total",
    kind: "counter",
    help: "What was told to the log, by the name that it has there, lines that were left out too.",
    labels: ["event", "level"],
    read: ({ logEvents }) => logEvents.map(({ events: value, ...labels }) => ({ labels, value })),
  },
  {
    name: "offers_snapshot_age_seconds",
    kind: "gauge",
    help: "Since the catalogue and the budgets in memory were last read.",
    labels: [],
    read: ({ service }) => alone(service && service.counts.snapshotAgeMs / 1000),
  },
  {
    name: "offers_nodes",
    kind: "gauge",
    help: "Processes that share the database and are known to this one, itself included.",
    labels: [],
    read: ({ service }) => alone(service?.counts.nodes),
  },
  {
    name: "offers_database_up",
    kind: "gauge",
    help: "1 while the database answers a question that is asked for the scrape.",
    labels: [],
    read: ({ service }) => alone(service && Number(service.measures !== null)),
  },
  {
    name: "offers_database_bytes",
    kind: "gauge",
    help: "Size of the database without its write-ahead log.",
    labels: [],
    read: ({ service }) => alone(service?.measures?.bytes),
  },
  {
    name: "offers_database_wal_bytes",
    kind: "gauge",
    help: "SQLite: size of the write-ahead log.",
    labels: [],
    read: ({ service }) => alone(service?.measures?.logBytes),
  },
  {
    name: "offers_database_wal_written_bytes_total",
    kind: "counter",
    help: "PostgreSQL: what the whole server has ever written to its write-ahead log.",
    labels: [],
    read: ({ service }) => alone(service?.measures?.loggedBytes),
  },
  {
    name: "offers_disk_free_bytes",
    kind: "gauge",
    help: "What is left on the disk of this node's data directory for a program that is not root.",
    labels: [],
    read: ({ service }) => alone(service?.disk?.freeBytes),
  },
  {
    name: "offers_disk_size_bytes",
    kind: "gauge",
    help: "Size of the disk of this node's data directory.",
    labels: [],
    read: ({ service }) => alone(service?.disk?.totalBytes),
  },
  {
    name: "offers_decline_sessions",
    kind: "gauge",
    help: "Decline sessions that have not expired, by state.",
    labels: ["state"],
    read: ({ service }) => byLabel("state", Object.entries(service?.measures?.declineSessions ?? {})),
  },
  {
    name: "offers_dashboard_sessions",
    kind: "gauge",
    help: "Sessions of people who are signed in to the dashboard.",
    labels: [],
    read: ({ service }) => alone(service?.measures?.dashboardSessions),
  },
  {
    name: "offers_operator_run_timestamp_seconds",
    kind: "gauge",
    help: "When the operator's command was last run: backup, recount, audit.",
    labels: ["command"],
    read: ({ service }) =>
      (service?.measures?.runs ?? []).map(({ kind: command, at }) => ({
        labels: { command },
        value: at / 1000,
      })),
  },
  {
    name: "offers_operator_run_good",
    kind: "gauge",
    help: "Whether that run ended well: 1, or 0.",
    labels: ["command"],
    read: ({ service }) =>
      (service?.measures?.runs ?? []).map(({ kind: command, isGood }) => ({
        labels: { command },
        value: Number(isGood),
      })),
  },
];

const byLane = (
  { service }: Facts,
  read: (queue: QueueReading) => number,
): { labels: Labels; value: number }[] =>
  (service?.counts.queues ?? []).map((queue) => ({ labels: { lane: queue.lane }, value: read(queue) }));
