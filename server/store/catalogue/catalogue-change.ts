import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { isLockedByAnother } from "../sqlite/storage-trouble.ts";

/** How long a change waits for the lock before it gives up; a busy server holds it for milliseconds at a time. */
const lockWaitMs = 8000;

/**
 * Runs `change` in one transaction that also bumps the catalogue's version, so that every running
 * server reads the catalogue again. Joins the transaction when `db` is one. What `change` throws
 * rolls everything back. While another process holds the write lock it is tried again, without blocking
 * the thread, so `change` has no effects of its own; SQLITE_BUSY is thrown when that takes `waitMs`.
 */
export async function changeCatalogue<T>(
  db: Kysely<Schema>,
  change: (tx: Kysely<Schema>) => Promise<T>,
  waitMs = lockWaitMs,
): Promise<T> {
  const run = async (tx: Kysely<Schema>): Promise<T> => {
    // First statement on purpose: a transaction that starts with a read cannot become a writer once
    // another process has committed in between, and SQLite then fails at once instead of waiting.
    await tx
      .updateTable("catalogue_version")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", 1)
      .executeTakeFirstOrThrow();
    return change(tx);
  };
  if (db.isTransaction) return run(db);
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return await db.transaction().execute(run);
    } catch (error) {
      if (!isLockedByAnother(error) || performance.now() >= deadline) throw error;
      await pause();
    }
  }
}

/** Uneven, so that it does not keep in step with a neighbour that commits batch after batch. */
const pause = (): Promise<void> => new Promise((resume) => setTimeout(resume, Math.random() * 3));

/** `prefix_` and 22 random base64url characters: 128 bits. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("base64url")}`;
}
