import type { Database as Sqlite } from "better-sqlite3";
import { idempotencyMs } from "../../core/idempotency.ts";
import { sessionLife } from "../../core/session-life.ts";
import type { Schema } from "../schema.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

type Passing = {
  table: keyof Schema;
  key: string;
  age: string;
  keptMs: number;
  /** How many go at a time, where each takes longer than usual. */
  atOnce?: number;
};

/** What may be deleted: rows that are older than `keptMs` by a column that is indexed. */
const passing = (eventsKeptDays: number | null): readonly Passing[] => [
  // Whoever still polls an expired session is told for an hour that it has expired.
  { table: "decline_session", key: "number", age: "expires_at", keptMs: 60 * 60 * 1000 },
  // A billed click matters for 24 hours. Its visitor's name is kept no longer than the salt that made it.
  { table: "billed_click", key: "visitor, offer, at", age: "at", keptMs: 48 * 60 * 60 * 1000 },
  // A network's name goes with the salt that made it, whose day began 48 hours ago.
  { table: "billed_network", key: "day, network, at", age: "day", keptMs: 48 * 60 * 60 * 1000 },
  // Views are limited by the last five minutes, which an hour and the one before it hold.
  { table: "billed_view", key: "hour, viewer, offer, at", age: "hour", keptMs: 2 * 60 * 60 * 1000 },
  // Whom the overlay is not shown again matters on that day alone: on the next one the visitor has another name.
  { table: "dismissal", key: "number", age: "day", keptMs: 24 * 60 * 60 * 1000 },
  // Two weeks: long enough to find a mistake that was made before a holiday.
  {
    table: "trouble",
    key: "subject, hour, code, detail",
    age: "last_at",
    keptMs: 14 * 24 * 60 * 60 * 1000,
  },
  // Over, for nobody has used it or however much it was used.
  { table: "session", key: "id", age: "seen_at", keptMs: sessionLife.idleMs },
  { table: "session", key: "id", age: "expires_at", keptMs: 0 },
  { table: "sign_in_link", key: "id", age: "expires_at", keptMs: 0 },
  // Nobody is given the answer again any more.
  { table: "kept_answer", key: "scope, key", age: "at", keptMs: idempotencyMs },
  // Thirteen months: what was done in this month of last year is there whole.
  // Each stands in six indexes, and 5,000 of a million took a fifth of a second.
  { table: "activity", key: "id", age: "at", keptMs: 397 * 24 * 60 * 60 * 1000, atOnce: 500 },
  // A ping is an event as well.
  {
    table: "snippet_ping",
    key: "website_id, host, script_version, hour",
    age: "hour",
    keptMs: eventsKeptDays === null ? Number.POSITIVE_INFINITY : eventsKeptDays * 24 * 60 * 60 * 1000,
  },
];

const purgeEveryMs = 60 * 1000;
/** Deleted at a time, so that the journal never waits long for the lock. */
const purgedAtOnce = 5000;

/**
 * Prepares what purges once a minute, asked at `now` (milliseconds since the epoch) as often as anybody likes: again at
 * once while there is more than goes at a time.
 * @param eventsKeptDays for how many days pings are kept; null: for ever.
 */
export function preparePurge(
  sqlite: Sqlite,
  eventsKeptDays: number | null,
): (now: number, lockWaitMs: number) => void {
  const purge = preparePurgeOnce(sqlite, eventsKeptDays);
  let doneAt = Number.NEGATIVE_INFINITY;
  return (now, lockWaitMs) => {
    // A clock that was set back is due as well.
    if (now >= doneAt && now - doneAt < purgeEveryMs) return;
    if (!purge(now, lockWaitMs)) doneAt = now;
  };
}

/**
 * Prepares what deletes sessions that expired an hour before `now` (milliseconds since the epoch) or earlier, and
 * what was billed so long before that no limit asks for it, and whatever else has had its time, 5,000 of each (or fewer) at the
 * most; it says whether there may be more. Takes the lock only when there are some; throws when it is held for longer than `lockWaitMs` milliseconds.
 */
export function preparePurgeOnce(
  sqlite: Sqlite,
  eventsKeptDays: number | null,
): (now: number, lockWaitMs: number) => boolean {
  const tables = passing(eventsKeptDays).map(({ table, key, age, keptMs, atOnce = purgedAtOnce }) => ({
    keptMs,
    atOnce,
    isDue: sqlite.prepare<[number]>(`select 1 from ${table} where ${age} <= +? limit 1`),
    purge: sqlite.prepare<[number]>(
      `delete from ${table} where (${key}) in
         (select ${key} from ${table} where ${age} <= +? order by ${age} limit ${atOnce})`,
    ),
  }));
  return (now, lockWaitMs) => {
    const due = tables.filter(({ isDue, keptMs }) => isDue.get(now - keptMs) !== undefined);
    if (due.length === 0) return false;
    takeWriteLock(sqlite, lockWaitMs);
    try {
      const isFull = due.map(({ purge, keptMs, atOnce }) => purge.run(now - keptMs).changes === atOnce);
      sqlite.exec("commit");
      return isFull.includes(true);
    } catch (error) {
      rollBack(sqlite);
      throw error;
    }
  };
}
