import type { Database as Sqlite } from "better-sqlite3";
import { storageTrouble } from "./storage-trouble.ts";

/** While it waits for a reader nobody can write: SQLite holds the write lock meanwhile. */
const longestWaitMs = 50;

/**
 * Folds SQLite's write-ahead log into the database and truncates it. False when a reader, another writer or the disk
 * is in the way just now: nothing is lost by trying again. Waits for them as long as the connection's busy timeout, and
 * for 50 ms at the most.
 */
export function truncateLog(sqlite: Sqlite): boolean {
  const busyTimeoutMs = Number(sqlite.pragma("busy_timeout", { simple: true }));
  sqlite.pragma(`busy_timeout = ${Math.min(busyTimeoutMs, longestWaitMs)}`);
  try {
    return sqlite.prepare<[], { busy: number }>("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } catch (error) {
    if (storageTrouble(error) === null) throw error;
    return false;
  } finally {
    sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
