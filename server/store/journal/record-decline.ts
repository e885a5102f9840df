import { type DeclineSession, triggerVerdict } from "../../core/decline-session.ts";
import type {
  DeclineOpenedEntry,
  DeclineTriggeredEntry,
  JournalOutcome,
  SessionOutcome,
  Visit,
} from "../../core/journal-entry.ts";
import { recordBlocked } from "./record-visit.ts";
import { noEvent, type Recording } from "./recording.ts";

/** Some 150 MB. Sessions live minutes: no honest traffic comes near, and no flood fills the disk. */
const mostSessions = 500_000;

/** Opens a session, unless `most` are kept already. */
export function recordOpened(
  { session }: DeclineOpenedEntry,
  { sessions }: Pick<Recording, "sessions">,
  most = mostSessions,
): JournalOutcome {
  if (sessions.mostKept() >= most) return became("too_many");
  sessions.open(session);
  return became("pending");
}

/**
 * Marks a session as ready and counts its visit as blocked: there is one transition, and one blocked visit, however
 * often and by however many processes it is triggered.
 */
export function recordTriggered(entry: DeclineTriggeredEntry, recording: Recording): JournalOutcome {
  const { sessionId, websiteId, vertical, reason, suppression, at } = entry;
  const session = recording.sessions.find(sessionId);
  const verdict = triggerVerdict(session, { websiteId, now: at });
  switch (verdict) {
    case "unknown":
    case "expired":
      return became(verdict);
    case "stay_ready":
      return became("ready");
    case "become_ready": {
      if (session === null) return became("unknown");
      recording.sessions.markReady(sessionId, { at, reason, suppression });
      const blocked = { kind: "blocked", visit: visitOf(session, at), vertical } as const;
      return { ...recordBlocked(blocked, recording), session: "ready" };
    }
    default:
      return verdict satisfies never;
  }
}

const visitOf = ({ request, websiteId, country, region, test }: DeclineSession, at: number): Visit => ({
  request,
  websiteId,
  country,
  region,
  surface: "decline",
  test,
  at,
});

const became = (session: SessionOutcome): JournalOutcome => ({ ...noEvent, session });
