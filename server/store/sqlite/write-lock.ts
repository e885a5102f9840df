import type { Database as Sqlite } from "better-sqlite3";
import { isLockedByAnother } from "./storage-trouble.ts";

/**
 * Opens a write transaction, waiting at most `waitMs` milliseconds for the lock; throws SQLITE_BUSY after that.
 * Blocks the thread, so the main thread of a server never calls it.
 */
export function takeWriteLock(sqlite: Sqlite, waitMs: number): void {
  retryWhileLocked(() => sqlite.exec("begin immediate"), waitMs);
}

/** Undoes the open transaction, unless SQLite has done so already, as it does when a disk is full. */
export function rollBack(sqlite: Sqlite): void {
  if (sqlite.inTransaction) sqlite.exec("rollback");
}

/**
 * Repeats `attempt` while another connection's lock makes it fail, for at most `waitMs` milliseconds, and throws
 * its last error. SQLite's own waiting sleeps up to 100 ms at a time: against a neighbour that commits batch
 * after batch, it would hardly ever look at the right moment.
 */
export function retryWhileLocked<T>(attempt: () => T, waitMs: number): T {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isLockedByAnother(error) || performance.now() >= deadline) throw error;
      sleep(1 + Math.random() * 2);
    }
  }
}

const sleep = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};
