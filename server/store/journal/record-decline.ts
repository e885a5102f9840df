import type { Database as Sqlite } from "better-sqlite3";
import { type DeclineSession, triggerVerdict } from "../../core/decline-session.ts";
import type {
  DeclineOpenedEntry,
  DeclineTriggeredEntry,
  JournalOutcome,
  SessionOutcome,
} from "../../core/journal-entry.ts";
import { prepareFindSession } from "../sqlite/decline-sessions.ts";
import { recordBlocked } from "./record-visit.ts";
import type { Recording } from "./recording.ts";

/** Some 150 MB. Sessions live minutes: no honest traffic comes near, and no flood fills the disk. */
const mostSessions = 500_000;

/** Prepares what opens a session, unless `most` are kept already. */
export function prepareRecordOpened(
  sqlite: Sqlite,
  most = mostSessions,
): (entry: DeclineOpenedEntry) => JournalOutcome {
  // Two look-ups at the ends of the key. A count would read every row.
  const span = sqlite
    .prepare<[], number>(
      `select coalesce((select max(number) from decline_session) - (select min(number) from decline_session) + 1, 0)`,
    )
    .pluck();
  const insert = sqlite.prepare(
    `insert into decline_session
       (id, website_id, origin, request, country, region, test, visitor, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ session }) => {
    if (Number(span.get()) >= most) return outcomeOf("too_many");
    const { sessionId, websiteId, origin, request, country, region, test, visitor } = session;
    const place = [country, region, test ? 1 : 0, visitor];
    insert.run(sessionId, websiteId, origin, request, ...place, session.openedAt, session.expiresAt);
    return outcomeOf("pending");
  };
}

/**
 * Prepares what marks a session as ready and counts its visit as blocked, both in the caller's transaction: there is
 * one transition, and one blocked visit, however often and by however many processes it is triggered.
 */
export function prepareRecordTriggered(
  sqlite: Sqlite,
): (entry: DeclineTriggeredEntry, recording: Recording) => JournalOutcome {
  const find = prepareFindSession(sqlite);
  const markReady = sqlite.prepare(
    "update decline_session set ready_at = ?, reason = ?, suppression_json = ? where id = ?",
  );
  return (entry, recording) => {
    const session = find(entry.sessionId);
    const verdict = triggerVerdict(session, { websiteId: entry.websiteId, now: entry.at });
    switch (verdict) {
      case "unknown":
      case "expired":
        return outcomeOf(verdict);
      case "stay_ready":
        return outcomeOf("ready");
      case "become_ready": {
        if (session === null) return outcomeOf("unknown");
        const suppression = entry.suppression && JSON.stringify(entry.suppression);
        markReady.run(entry.at, entry.reason, suppression, entry.sessionId);
        const blocked = {
          kind: "blocked",
          visit: visitOf(session, entry.at),
          vertical: entry.vertical,
        } as const;
        return { ...recordBlocked(blocked, recording), session: "ready" };
      }
      default:
        return verdict satisfies never;
    }
  };
}

const visitOf = (session: DeclineSession, at: number) => ({
  request: session.request,
  websiteId: session.websiteId,
  country: session.country,
  region: session.region,
  surface: "decline" as const,
  test: session.test,
  visitor: session.visitor === null ? null : { today: session.visitor, yesterday: session.visitor },
  at,
});

const outcomeOf = (session: SessionOutcome): JournalOutcome => ({
  eventId: null,
  refusal: null,
  billedMicros: null,
  session,
});
