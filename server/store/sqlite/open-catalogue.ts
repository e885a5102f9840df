import type { Kysely } from "kysely";
import type { Actor } from "../../core/actor.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";
import { type BackupVerdict, backUp } from "./backup.ts";
import { type Database, openDatabase } from "./database.ts";
import { prepareErasing } from "./erase.ts";
import { prepareExhaustedOffers } from "./exhausted-offers.ts";
import { migrate } from "./migrate.ts";
import type { Durability } from "./open-sqlite.ts";
import { prepareRateChanges } from "./rate-counts.ts";
import { isLockedByAnother, storageTrouble } from "./storage-trouble.ts";
import { prepareBatchWriter } from "./write-batch.ts";

/**
 * Short, because a change is tried again below, and at a better pace: SQLite's own waiting grows to long naps, and
 * against a service that commits batch after batch it seldom wakes at the right moment.
 */
const busyTimeoutMs = 5;

/** How long a change waits for the lock before it gives up; a busy server holds it for milliseconds at a time. */
const usualWaitMs = 8000;

/**
 * Opens the database file for the command line, beside a service that may be running, and creates or migrates it first.
 * Throws SQLite's error, or one that says what is wrong with the file.
 */
export async function openSqliteCatalogue(options: {
  file: string;
  durability: Durability;
  /** How long a change waits for another process's lock; left out: some seconds. */
  lockWaitMs?: number;
  actor: Actor;
  clock: () => number;
}) {
  const { file, durability, actor, clock, lockWaitMs } = options;
  const database = openDatabase({ file, durability, busyTimeoutMs });
  const close = () => database.db.destroy();
  try {
    await migrate(database);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...changing(database, { actor, clock }, lockWaitMs),
    clockOffsetMs: 0,
    erase: prepareErasing(database.sqlite, usualWaitMs),
    backUp: (file: string): Promise<BackupVerdict> => backUp(database.sqlite, file),
    budgets: async (now: number) =>
      prepareExhaustedOffers(database.sqlite).changed(dayNumber(now), true) ?? { exhausted: [], paced: [] },
    rateCounts: async (now: number) => prepareRateChanges(database.sqlite)(now),
    record: async (entries: readonly JournalEntry[]) =>
      prepareBatchWriter(database.sqlite).writeAll(entries, usualWaitMs),
    troubleOf: (error: unknown) => {
      const trouble = storageTrouble(error);
      // No file is out of reach: a commit that fails is none.
      return trouble && { code: trouble.code, isLocked: isLockedByAnother(error), isCommitUnknown: false };
    },
    storageTroubleOf: storageTrouble,
    close,
  };
}

/**
 * A database that can be changed in one transaction, as often as it takes while another connection has the lock;
 * what it changes is noted as `by` that actor, at the time of that clock.
 */
export function changing(
  { db }: Pick<Database, "db">,
  by: { actor: Actor; clock: () => number },
  waitMs = usualWaitMs,
) {
  return {
    ...by,
    db,
    transact: async <T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> => {
      const deadline = performance.now() + waitMs;
      for (;;) {
        try {
          return await db.transaction().execute(work);
        } catch (error) {
          if (!isLockedByAnother(error) || performance.now() >= deadline) throw error;
          await pause();
        }
      }
    },
  };
}

/** Uneven, so that it does not keep in step with a neighbour that commits batch after batch. */
const pause = (): Promise<void> => new Promise((resume) => setTimeout(resume, Math.random() * 3));
