import type { DatabaseMeasures } from "../core/database-measures.ts";
import { within } from "./within.ts";

/** What the database has said of itself lately. */
export type DatabaseWatch = {
  /** By the answer of this question, or by the one before where that is not old; null: it cannot be asked. */
  read(ask: () => Promise<DatabaseMeasures>): Promise<DatabaseMeasures | null>;
};

/** However often somebody scrapes, the database is not asked again sooner. */
const againMs = 4000;
/** A long report may stand before the question, and nothing is wrong with the database then. */
const staleMs = 30_000;

/**
 * Asks one question at a time, and waits `waitMs` for its answer: a database that is silent holds no scrape up, and
 * does not find a queue of them when it comes back.
 * @param clock milliseconds of a clock that is never set back.
 */
export function watchDatabase(waitMs: number, clock: () => number): DatabaseWatch {
  let askedAt = Number.NEGATIVE_INFINITY;
  let known: { at: number; measures: DatabaseMeasures } | null = null;
  let asking: Promise<unknown> | null = null;
  const start = (ask: () => Promise<DatabaseMeasures>): Promise<unknown> => {
    askedAt = clock();
    return ask()
      .then((measures) => {
        known = { at: clock(), measures };
      })
      .catch(() => {
        known = null;
      })
      .finally(() => {
        asking = null;
      });
  };
  return {
    read: async (ask) => {
      if (clock() - askedAt >= againMs) asking ??= start(ask);
      if (asking !== null) await within(waitMs, asking);
      return known !== null && clock() - known.at < staleMs ? known.measures : null;
    },
  };
}
