import type { Database as Sqlite } from "better-sqlite3";
import type { DeclineSession } from "../../core/decline-session.ts";
import type { DeclineSessionTable } from "../schema.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/** How long an expired session is kept: whoever still polls it is told that it has expired. */
const keptMs = 60 * 60 * 1000;
const purgeEveryMs = 60 * 1000;
/** Deleted at a time, so that the journal never waits long for the lock. */
const purgedAtOnce = 5000;

/** Prepares what finds a session by its id, expired ones too; null when there is none, or none any more. */
export function prepareFindSession(sqlite: Sqlite): (id: string) => DeclineSession | null {
  const find = sqlite.prepare<[string], DeclineSessionTable>("select * from decline_session where id = ?");
  return (id) => {
    const row = find.get(id);
    return row === undefined ? null : sessionOf(row);
  };
}

/**
 * Prepares what purges once a minute, asked at `now` (milliseconds since the epoch) as often as anybody likes: again at
 * once while there is more than goes at a time.
 */
export function preparePurge(sqlite: Sqlite): (now: number, lockWaitMs: number) => void {
  let doneAt = Number.NEGATIVE_INFINITY;
  return (now, lockWaitMs) => {
    // A clock that was set back is due as well.
    if (now >= doneAt && now - doneAt < purgeEveryMs) return;
    if (purgeSessions(sqlite, now, lockWaitMs) < purgedAtOnce) doneAt = now;
  };
}

/**
 * Deletes the sessions that expired an hour before `now` (milliseconds since the epoch) or earlier, 5,000 at the
 * most, and returns how many. Takes the lock only when there are some; throws when it is held for longer than
 * `lockWaitMs` milliseconds.
 */
export function purgeSessions(sqlite: Sqlite, now: number, lockWaitMs: number): number {
  const before = now - keptMs;
  const due = sqlite.prepare("select 1 from decline_session where expires_at <= ? limit 1").get(before);
  if (due === undefined) return 0;
  takeWriteLock(sqlite, lockWaitMs);
  try {
    const { changes } = sqlite
      .prepare(
        `delete from decline_session where number in
           (select number from decline_session where expires_at <= ? order by expires_at limit ${purgedAtOnce})`,
      )
      .run(before);
    sqlite.exec("commit");
    return changes;
  } catch (error) {
    rollBack(sqlite);
    throw error;
  }
}

const sessionOf = (row: DeclineSessionTable): DeclineSession => ({
  sessionId: row.id,
  websiteId: row.website_id,
  origin: row.origin,
  request: row.request,
  country: row.country,
  region: row.region,
  test: row.test === 1,
  visitor: row.visitor,
  openedAt: row.created_at,
  expiresAt: row.expires_at,
  readyAt: row.ready_at,
  suppression: row.suppression_json === null ? null : JSON.parse(row.suppression_json),
});
