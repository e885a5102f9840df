import type { Database as Sqlite } from "better-sqlite3";
import { storageTrouble } from "./storage-trouble.ts";

/**
 * Folds SQLite's write-ahead log into the database and truncates it. False when a reader, another writer or the disk
 * is in the way just now: nothing is lost by trying again. Waits for them as long as the connection's busy timeout.
 */
export function truncateLog(sqlite: Sqlite): boolean {
  try {
    return sqlite.prepare<[], { busy: number }>("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } catch (error) {
    if (storageTrouble(error) === null) throw error;
    return false;
  }
}
