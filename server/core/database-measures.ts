/** What an operator wants to know of a database, and only itself can tell. */
export type DatabaseMeasures = {
  bytes: number;
  /** Of a file: its write-ahead log as it stands. Null: the log is the server's own. */
  logBytes: number | null;
  /** Of a server: how much it has ever written to its log. Null: it may not be asked, or the log is a file's. */
  loggedBytes: number | null;
  /** Decline sessions that have not expired, by whether they were triggered. */
  declineSessions: { pending: number; ready: number };
  /** Sessions of people who are signed in. */
  dashboardSessions: number;
  /** How the last run of each of the operator's commands ended, and when, in milliseconds since the epoch. */
  runs: { kind: string; at: number; isGood: boolean }[];
};
