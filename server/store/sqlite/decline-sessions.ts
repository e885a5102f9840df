import type { Database as Sqlite } from "better-sqlite3";
import type { DeclineSession, WaitingSession } from "../../core/decline-session.ts";
import type { Sessions } from "../journal/recording.ts";
import { bytesOf } from "../rows/row-bytes.ts";
import { type SessionRow, sessionColumns, sessionOfRow } from "../rows/session-row.ts";

/** Prepares what finds a session by its id, expired ones too; null when there is none, or none any more. */
export function prepareFindSession(sqlite: Sqlite): (id: string) => DeclineSession | null {
  const find = sqlite.prepare<[string], SessionRow>(
    `select ${sessionColumns.join(", ")} from decline_session where id = +?`,
  );
  return (id) => {
    const row = find.get(id);
    return row === undefined ? null : sessionOfRow(row);
  };
}

/** Where `decline_kept` counts the sessions of all websites. */
const ofAllWebsites = 0;

/** Prepares the statements on sessions that recording needs. */
export function prepareSessions(sqlite: Sqlite): Sessions {
  const kept = sqlite
    .prepare<[number], number>("select sessions from decline_kept where website_id = +?")
    .pluck();
  const keptOf = (websiteId: number): number => kept.get(websiteId) ?? 0;
  const waiting = (condition: string) =>
    sqlite.prepare<(number | Uint8Array)[], WaitingSession>(
      `select id as sessionId, expires_at as expiresAt from decline_session
         where website_id = +? and ready_at is null ${condition} order by number limit 1`,
    );
  const oldest = waiting("");
  const oldestOfOpener = waiting("and opener = +?");
  const remove = sqlite.prepare("delete from decline_session where id = +?");
  const insert = sqlite.prepare(
    `insert into decline_session
       (id, website_id, origin, request, country, region, test, visitor, opener, created_at, expires_at, catalogue,
        geo_source, device)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const markReady = sqlite.prepare(
    "update decline_session set opener = null, ready_at = ?, suppression_json = ? where id = +?",
  );
  return {
    kept: (websiteId) => ({ all: keptOf(ofAllWebsites), ofWebsite: keptOf(websiteId) }),
    waiting: (websiteId, opener) => ({
      oldest: oldest.get(websiteId) ?? null,
      oldestOfOpener: oldestOfOpener.get(websiteId, bytesOf(opener)) ?? null,
    }),
    open: (session, opener) => {
      const { sessionId, websiteId, origin, request, country, region, test, visitor, device, decidedBy } =
        session;
      const place = [country, region, test ? 1 : 0, visitor];
      const times = [session.openedAt, session.expiresAt];
      const by = [decidedBy?.catalogue ?? null, decidedBy?.geoSource ?? null];
      insert.run(
        sessionId,
        websiteId,
        origin,
        bytesOf(request),
        ...place,
        bytesOf(opener),
        ...times,
        ...by,
        device,
      );
    },
    remove: (sessionId) => void remove.run(sessionId),
    find: prepareFindSession(sqlite),
    markReady: (sessionId, { at, suppression }) =>
      void markReady.run(at, suppression && JSON.stringify(suppression), sessionId),
  };
}
