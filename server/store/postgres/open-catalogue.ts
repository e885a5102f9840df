import type { Kysely } from "kysely";
import type pg from "pg";
import type { Actor } from "../../core/actor.ts";
import { clockVerdict } from "../../core/server-clock.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { OpenCatalogue } from "../catalogue/catalogue-handle.ts";
import type { PostgresAddress } from "../database-address.ts";
import type { Schema } from "../schema.ts";
import { type Ask, askingOf } from "./asking.ts";
import { prepareBudgetsOfDay } from "./budgets-of-day.ts";
import { connect } from "./connect.ts";
import { databaseOver } from "./database.ts";
import { prepareErasing } from "./erase.ts";
import { migrate, requireOpen } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { prepareRateChanges } from "./rate-changes.ts";
import { recordEntries } from "./record-entries.ts";
import { prepareServerTime } from "./server-time.ts";
import { isConnectionLost, isLockedByAnother, storageTrouble } from "./storage-trouble.ts";
import { networkSettings, silentMs } from "./writer-settings.ts";

/** How long a change waits for others' locks before it gives up; a busy service holds them for milliseconds. */
const usualWaitMs = 8000;

/**
 * Opens the database for the command line and the desk, beside services that may be running, and creates or migrates it
 * first, unless it is opened within a service: that has done so at its start, and those who are signed in need not wait for
 * another program that migrates just then. It goes by the server's clock, as nodes do (decisions.md#clock-of-the-database); the desk is told the time with each question. Rejects with the server's error, or one that
 * says what is wrong with it.
 */
export async function openPostgresCatalogue(
  options: PostgresAddress & {
    lockWaitMs?: number;
    deadlineMs?: number;
    isWithinService?: boolean;
    actor: Actor;
    clock: () => number;
  },
): Promise<OpenCatalogue> {
  const { url, actor, lockWaitMs = usualWaitMs, deadlineMs, isWithinService = false } = options;
  if (!isWithinService) await migrateAt(url);
  const pool = createPool({
    ...{ url, name: "offers catalogue" },
    settings: {
      lock_timeout: lockWaitMs,
      // A machine that vanishes in the middle of a change would hold for hours what others wait for, such as a share's lock.
      idle_in_transaction_session_timeout: silentMs,
      // A server that is slow ends the work by itself, before it is taken for a silent one, which would go on with it. Without a
      // deadline a recount takes as long as it takes, whatever the role's own limit is.
      statement_timeout: deadlineMs === undefined ? 0 : Math.round(deadlineMs * 0.9),
    },
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  const [db, ask] = [databaseOver(pool), askingOf(pool)];
  const look = async (): Promise<number> => {
    // Where it was not migrated just now, a newer program may have closed it to this one.
    if (isWithinService) await requireOpen(ask);
    return measureOffset(ask);
  };
  const clockOffsetMs = await look().catch(async (error: unknown) => {
    // Not by the query builder, which has not used the pool yet and would leave its connection open.
    await pool.end();
    throw error;
  });
  const clock = () => options.clock() + clockOffsetMs;
  const lostAtCommit = new WeakSet<Error>();
  return {
    ...changing(db, { actor, clock }, lockWaitMs, (error) => lostAtCommit.add(error)),
    clockOffsetMs,
    erase: prepareErasing(url, lockWaitMs),
    backUp: null,
    budgets: (now) => prepareBudgetsOfDay(ask).readAll(dayNumber(now)),
    rateCounts: (now) => prepareRateChanges(ask).changes(now),
    record: (entries) => recordEntries(url, entries),
    troubleOf: (error) => {
      const trouble = storageTrouble(error);
      return (
        trouble && {
          code: trouble.code,
          isLocked: isLockedByAnother(error),
          isCommitUnknown: lostAtCommit.has(error as Error),
        }
      );
    },
    storageTroubleOf: storageTrouble,
    close: () => db.destroy(),
  };
}

/** How many milliseconds the server's clock is ahead of this machine's; 0 where it is no more than nodes put up with silently. */
const measureOffset = async (ask: Ask): Promise<number> => {
  const time = prepareServerTime(ask);
  await time.look();
  return clockVerdict(time.offsetMs()) === "right" ? 0 : time.offsetMs();
};

/**
 * Connects as whoever migrates. Nobody starts while it holds the lock, so a machine that has lost its power in the middle of it
 * is let go soon; a step itself takes as long as it takes, whatever the role's own limit is.
 */
export function connectToMigrate(url: string): Promise<pg.Client> {
  return connect({
    url,
    name: "offers migration",
    settings: {
      statement_timeout: 0,
      idle_session_timeout: silentMs,
      idle_in_transaction_session_timeout: silentMs,
      ...networkSettings,
    },
  });
}

/** Brings the database to this program's schema. `onWait` is called once, when another program is waited for. */
export async function migrateAt(url: string, onWait?: () => void): Promise<void> {
  const client = await connectToMigrate(url);
  try {
    await migrate(client, { ...(onWait && { onWait }) });
  } finally {
    await client.end();
  }
}

/**
 * A database that can be changed in one transaction, again from the beginning where another one was in the way; what it
 * changes is noted as `by` that actor, at the time of that clock. `onLostAtCommit` is told the error by which a connection was
 * lost when nothing was left to do but to commit: the server may have done it.
 */
export function changing(
  db: Kysely<Schema>,
  by: { actor: Actor; clock: () => number },
  waitMs = usualWaitMs,
  onLostAtCommit: (error: Error) => void = () => undefined,
) {
  return {
    ...by,
    db,
    transact: async <T>(work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> => {
      const deadline = performance.now() + waitMs;
      for (;;) {
        let isCommitting = false;
        try {
          return await db.transaction().execute(async (tx) => {
            const done = await work(tx);
            isCommitting = true;
            return done;
          });
        } catch (error) {
          if (isCommitting && isConnectionLost(error)) onLostAtCommit(error);
          if (!isLockedByAnother(error) || performance.now() >= deadline) throw error;
        }
      }
    },
  };
}
