import type { Database as Sqlite } from "better-sqlite3";
import { passing } from "../rows/passing.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

const purgeEveryMs = 60 * 1000;

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
  const tables = passing(eventsKeptDays).map(({ table, key, age, keptMs, atOnce }) => ({
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
