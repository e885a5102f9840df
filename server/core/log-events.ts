/** How grave a line is; what each means for whoever is on call stands in docs/logs.md. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

type Described = {
  level: LogLevel;
  /** What has happened, in a sentence that stands in each line. */
  says: string;
  /** How many lines a second are written, where it is not the usual one; of fatal ones all are. */
  perSecond?: number;
};

/**
 * Everything that the log can tell, by name. docs/logs.md has a line for each, and what to do about it; what is not here
 * does not compile.
 */
export const logEvents = {
  // The process
  metrics_open: { level: "info", says: "metrics are told at an address of their own" },
  stopping: { level: "info", says: "the service was asked to stop" },
  uncaught_error: { level: "fatal", says: "an error that nobody handled: the service ends" },
  stop_cut_off: { level: "error", says: "the service did not end in time, and was cut off" },
  ended_uncleanly: {
    level: "error",
    says: "a process before this one was killed, has crashed or could not store all before it ended; what it had not stored is lost",
  },
  few_open_files: { level: "warn", says: "the limit on open files leaves room for fewer connections" },
  connections_cut: { level: "warn", says: "connections above the most that this process takes were ended" },
  blocked_host: { level: "warn", says: "content blockers refuse the host name of BASE_URL" },
  chunks_not_kept: {
    level: "warn",
    says: "the files of the tag and of the dashboard could not be kept for other nodes",
  },
  sign_in_link_not_made: { level: "warn", says: "no link could be made by which somebody signs in" },
  desk_not_started: {
    level: "warn",
    says: "what answers those who are signed in could not be started",
  },
  log_lines_left_out: { level: "warn", says: "an event was told too often; so many lines were not written" },
  log_lines_lost: { level: "warn", says: "the log could not be written for a while; so many lines are lost" },

  // Calls
  request: { level: "info", says: "a call was answered", perSecond: 100 },
  request_failed: { level: "error", says: "a call was answered 500" },
  answer_not_written: { level: "error", says: "an answer could not be written; its connection was cut" },
  answer_late: { level: "warn", says: "an answer was not there in nine seconds; its caller was told 503" },
  request_unreadable: { level: "debug", says: "a request that could not be read" },
  partner_refused: { level: "info", says: "a partner was refused" },
  forwarded_for_unreadable: { level: "warn", says: "a trusted proxy wrote no address" },
  clicks_not_stored: { level: "error", says: "visitors went on before their clicks were stored" },
  limits_apart: {
    level: "warn",
    says: "nobody counts calls of all nodes: each lets in its share of every limit",
  },
  limits_shared: { level: "info", says: "calls of all nodes are counted together again" },

  // Location data and lists of networks
  location_data: { level: "info", says: "location data was loaded" },
  location_data_old: { level: "warn", says: "the location data is old" },
  location_data_refused: {
    level: "error",
    says: "location data that cannot be used; what was there before goes on answering",
  },
  networks: { level: "info", says: "a list of networks was loaded" },
  networks_old: { level: "warn", says: "a list of networks is old" },
  networks_refused: {
    level: "error",
    says: "a list of networks that cannot be used; the one before goes on answering",
  },

  // Reading
  catalogue_poll_failed: {
    level: "warn",
    says: "the catalogue cannot be read; the last one goes on answering",
  },
  catalogue_poll_recovered: { level: "info", says: "the catalogue can be read again" },
  read_failed: {
    level: "warn",
    says: "a report, a request, a session or a chunk of the tag could not be read",
  },

  // What is recorded, and so money
  journal_refused: { level: "error", says: "the storage refuses events" },
  journal_recovered: { level: "info", says: "the storage takes events again" },
  journal_entry_failed: { level: "error", says: "an event could not be recorded" },
  journal_entries_lost: { level: "error", says: "events were not recorded before the service ended" },
  store_thread_died: { level: "error", says: "a part of the store has ended: the service ends" },
  durability_relaxed: { level: "warn", says: "the database may lose what was acknowledged" },

  // SQLite
  database_file_lost: {
    level: "fatal",
    says: "the database file is gone: nothing is recorded until a restart",
  },
  write_ahead_log_large: { level: "warn", says: "the write-ahead log is large" },

  // PostgreSQL
  migration_waits: { level: "info", says: "another program migrates the database, and is waited for" },
  database_connected: { level: "info", says: "connected to the database" },
  database_connection_lost: { level: "warn", says: "the connection to the database is lost" },
  database_settings_changed: { level: "warn", says: "the database's settings have changed under way" },
  database_away: { level: "warn", says: "no connection to the database can be made" },
  node_fenced: { level: "warn", says: "the database takes nothing of this node until it has come anew" },
  catalogue_went_back: {
    level: "error",
    says: "another database server has taken over without the last changes of the catalogue: they are lost",
  },
  clock_off: { level: "warn", says: "this machine's clock differs from the database's" },
  visitor_salts_restored: { level: "info", says: "the visitors' salts were written back" },
  partition_not_made: { level: "warn", says: "events of a day stand outside of a partition of its own" },

  // Keeping house
  events_not_purged: { level: "error", says: "events are kept for longer than was promised" },
  lines_not_settled: { level: "error", says: "what waits to be added to the reports by hour cannot be" },
  housekeeping_waits: { level: "warn", says: "housekeeping waits for the database" },

  // What waits on a node's own disk while PostgreSQL is away
  spool_found: { level: "info", says: "visits wait on this disk since before the start" },
  spool_filling: { level: "warn", says: "visits wait on this disk for the database" },
  spool_empty: { level: "info", says: "all visits that waited are recorded" },
  spool_refused: { level: "error", says: "visits cannot be kept on this disk" },
  spool_recovered: { level: "info", says: "visits can be kept on this disk again" },
  spool_line_unreadable: { level: "error", says: "a visit that waited on this disk cannot be read" },
  spool_thread_died: { level: "error", says: "what keeps visits on this disk has ended" },
} as const satisfies Record<string, Described>;

export type LogEventName = keyof typeof logEvents;

/** What is told of an event; an error stands in `err`. */
export type LogLine = { event: LogEventName; [detail: string]: unknown };

/** The call that a line is about. */
export type LoggedCall = {
  id: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** Writes a line, at the level of its event: of a call also the call's id, and the trace that its caller has named. */
export type Log = (line: LogLine, of?: LoggedCall) => void;

/** What is described of an event. */
export function describedEvent(name: LogEventName): Described {
  return logEvents[name];
}
