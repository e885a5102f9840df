import type { Database as Sqlite } from "better-sqlite3";
import { keptSince } from "../../core/kept-events.ts";
import { requestKeysSince } from "../../core/request-key.ts";
import { prepareClosing } from "./closing.ts";
import { prepareReadOldest } from "./fact-rows.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/** How often it is looked whether there are facts to purge. */
const purgeEveryMs = 60 * 1000;
/** Deleted at a time: some two milliseconds of the lock. */
export const factsAtOnce = 100;
/** Then the journal has the lock to itself for so long. */
const restMs = 20;
/** A deletion that does not get the lock within this time is left to the next look. */
const lockWaitMs = 250;

export type FactPurge = {
  /** Begins to purge what is too old at `now` (milliseconds since the epoch), if a look is due. */
  look(now: number): void;
  /** Nothing is purged any more: the connection may be closed. */
  stop(): void;
};

/**
 * Purges the facts of requests that were made more than `keptDays` days ago, a hundred at a time in transactions
 * of their own, with pauses in which the journal writes; once a minute it looks for some. A look that the storage refuses is
 * made up for by the next one; `onError` gets any other failure, which ends the look as well. Null keeps all for ever.
 */
export function startFactPurge(
  sqlite: Sqlite,
  { keptDays, onError }: { keptDays: number | null; onError: (error: unknown) => void },
): FactPurge {
  const purge = preparePurgeFactsOnce(sqlite, keptDays);
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const step = (now: number): void => {
    timer = undefined;
    try {
      if (purge(now, lockWaitMs)) timer = setTimeout(step, restMs, now);
    } catch (error) {
      onError(error);
    }
  };
  return {
    look: (now) => {
      // A clock that was set back is due as well, and what was begun by it ends: it may have been a year ahead for a second.
      if (now < lookedAt) {
        clearTimeout(timer);
        timer = undefined;
      }
      if (timer !== undefined || (now >= lookedAt && now - lookedAt < purgeEveryMs)) return;
      lookedAt = now;
      step(now);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * Prepares what deletes the oldest facts of requests that were made more than `keptDays` days before `now` (milliseconds
 * since the epoch), 100 at the most, and keeps what they had added; it says whether there may be more. Takes the lock
 * only when there are some; throws when it is held for longer than `lockWaitMs` milliseconds. A day is purged by parts,
 * and every part leaves recount and audit right.
 */
export function preparePurgeFactsOnce(
  sqlite: Sqlite,
  keptDays: number | null,
): (now: number, lockWaitMs: number) => boolean {
  const isDue = sqlite.prepare<[Uint8Array]>("select 1 from fact where request < +? limit 1");
  const readOldest = prepareReadOldest(sqlite);
  const close = prepareClosing(sqlite);
  return (now, waitMs) => {
    const since = keptSince(now, keptDays);
    if (since === null) return false;
    const below = requestKeysSince(since);
    if (isDue.get(below) === undefined) return false;
    takeWriteLock(sqlite, waitMs);
    try {
      const facts = readOldest(below, factsAtOnce);
      close(facts);
      sqlite.exec("commit");
      return facts.length === factsAtOnce;
    } catch (error) {
      rollBack(sqlite);
      throw error;
    }
  };
}
