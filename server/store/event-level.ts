type Level = "info" | "warn" | "error" | "fatal";

/** How grave each event of the store is. */
const levels: Readonly<Record<string, Level>> = {
  database_connected: "info",
  journal_recovered: "info",
  spool_found: "info",
  spool_empty: "info",
  spool_recovered: "info",
  // By the day's housekeeping, out of what was acknowledged.
  visitor_salts_restored: "info",
  catalogue_poll_failed: "warn",
  read_failed: "warn",
  housekeeping_waits: "warn",
  // Answers go by the database's clock, but nothing else on this machine does.
  clock_off: "warn",
  // Events stand where they cost more than in a partition of their own.
  partition_not_made: "warn",
  write_ahead_log_large: "warn",
  // The writer's way to the database: what it costs is told by `journal_refused`.
  database_connection_lost: "warn",
  database_away: "warn",
  node_fenced: "warn",
  // What was acknowledged may be lost, as the operator has allowed.
  durability_relaxed: "warn",
  // Visits wait for the database on this machine's disk.
  spool_filling: "warn",
  // Events, and so money, that are refused or lost.
  journal_refused: "error",
  journal_entry_failed: "error",
  journal_entries_lost: "error",
  spool_refused: "error",
  spool_line_unreadable: "error",
  spool_thread_died: "error",
  // Kept for longer than was promised.
  events_not_purged: "error",
  // The process goes on to end, and says fatally why.
  store_thread_died: "error",
  // Nothing is recorded any more until somebody restarts the service.
  database_file_lost: "fatal",
};

/** Every event that the store tells. */
export const storeEvents: readonly string[] = Object.keys(levels);

/** The level at which an event that the store has told belongs into the log. */
export function eventLevel(event: object): Level {
  return ("event" in event && levels[String(event.event)]) || "info";
}
