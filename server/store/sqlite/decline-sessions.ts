import type { Database as Sqlite } from "better-sqlite3";
import type { DeclineSession } from "../../core/decline-session.ts";
import type { Sessions } from "../journal/recording.ts";
import type { DeclineSessionTable } from "../schema.ts";
import { bytesOf, textOf } from "./row-bytes.ts";

/** Prepares what finds a session by its id, expired ones too; null when there is none, or none any more. */
export function prepareFindSession(sqlite: Sqlite): (id: string) => DeclineSession | null {
  const find = sqlite.prepare<[string], DeclineSessionTable>("select * from decline_session where id = +?");
  return (id) => {
    const row = find.get(id);
    return row === undefined ? null : sessionOf(row);
  };
}

/** Prepares the statements on sessions that recording needs. */
export function prepareSessions(sqlite: Sqlite): Sessions {
  // Two look-ups at the ends of the key. A count would read every row.
  const span = sqlite
    .prepare<[], number>(
      "select coalesce((select max(number) from decline_session) - (select min(number) from decline_session) + 1, 0)",
    )
    .pluck();
  const insert = sqlite.prepare(
    `insert into decline_session
       (id, website_id, origin, request, country, region, test, visitor, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const markReady = sqlite.prepare(
    "update decline_session set ready_at = ?, reason = ?, suppression_json = ? where id = +?",
  );
  return {
    mostKept: () => Number(span.get()),
    open: ({
      sessionId,
      websiteId,
      origin,
      request,
      country,
      region,
      test,
      visitor,
      openedAt,
      expiresAt,
    }) => {
      const place = [country, region, test ? 1 : 0, visitor];
      insert.run(sessionId, websiteId, origin, bytesOf(request), ...place, openedAt, expiresAt);
    },
    find: prepareFindSession(sqlite),
    markReady: (sessionId, { at, reason, suppression }) =>
      void markReady.run(at, reason, suppression && JSON.stringify(suppression), sessionId),
  };
}

const sessionOf = (row: DeclineSessionTable): DeclineSession => ({
  sessionId: row.id,
  websiteId: row.website_id,
  origin: row.origin,
  request: textOf(row.request),
  country: row.country,
  region: row.region,
  test: row.test === 1,
  visitor: row.visitor,
  openedAt: row.created_at,
  expiresAt: row.expires_at,
  readyAt: row.ready_at,
  suppression: row.suppression_json === null ? null : JSON.parse(row.suppression_json),
});
