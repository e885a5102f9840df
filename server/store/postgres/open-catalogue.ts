import type { Kysely } from "kysely";
import type { Actor } from "../../core/actor.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { OpenCatalogue } from "../catalogue/catalogue-handle.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { Schema } from "../schema.ts";
import { askingOf } from "./asking.ts";
import { prepareBudgetsOfDay } from "./budgets-of-day.ts";
import { connect } from "./connect.ts";
import { databaseOver } from "./database.ts";
import { prepareErasing } from "./erase.ts";
import { migrate } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { prepareRateChanges } from "./rate-changes.ts";
import { recordEntries } from "./record-entries.ts";
import { isLockedByAnother, storageTrouble } from "./storage-trouble.ts";

/** How long a change waits for others' locks before it gives up; a busy service holds them for milliseconds. */
const usualWaitMs = 8000;

/**
 * Opens the database for the command line and the desk, beside services that may be running, and creates or migrates it
 * first. Rejects with the server's error, or one that says what is wrong with it.
 */
export async function openPostgresCatalogue(
  options: PostgresAddress & { lockWaitMs?: number; actor: Actor; clock: () => number },
): Promise<OpenCatalogue> {
  const { url, actor, clock, lockWaitMs = usualWaitMs } = options;
  await migrateAt(url);
  const pool = createPool({ url, name: "offers catalogue", settings: { lock_timeout: lockWaitMs } });
  const [db, ask] = [databaseOver(pool), askingOf(pool)];
  return {
    ...changing(db, { actor, clock }, lockWaitMs),
    erase: prepareErasing(url, lockWaitMs),
    backUp: null,
    budgets: (now) => prepareBudgetsOfDay(ask).readAll(dayNumber(now)),
    rateCounts: (now) => prepareRateChanges(ask).changes(now),
    record: (entries) => recordEntries(url, entries),
    troubleOf: (error) => {
      const trouble = storageTrouble(error);
      return trouble && { code: trouble.code, isLocked: isLockedByAnother(error) };
    },
    storageTroubleOf: storageTrouble,
    close: () => db.destroy(),
  };
}

/** Brings the database to this program's schema. */
export async function migrateAt(url: string): Promise<void> {
  const client = await connect({ url, name: "offers migration" });
  try {
    await migrate(client);
  } finally {
    await client.end();
  }
}

/**
 * A database that can be changed in one transaction, again from the beginning where another one was in the way; what it
 * changes is noted as `by` that actor, at the time of that clock.
 */
export function changing(
  db: Kysely<Schema>,
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
        }
      }
    },
  };
}
