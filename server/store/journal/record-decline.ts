import {
  type DeclineSession,
  mostSessions,
  roomVerdict,
  triggerVerdict,
} from "../../core/decline-session.ts";
import type {
  DeclineOpenedEntry,
  DeclineTriggeredEntry,
  JournalOutcome,
  SessionOutcome,
  Visit,
} from "../../core/journal-entry.ts";
import { recordBlocked } from "./record-visit.ts";
import { passedOver, type Recording } from "./recording.ts";

/** Opens a session, in the place of another one of the website where there is room for no more. */
export function recordOpened(
  { session, opener }: DeclineOpenedEntry,
  { sessions }: Pick<Recording, "sessions">,
  most = mostSessions,
): JournalOutcome {
  const { websiteId, openedAt } = session;
  const waiting = sessions.waiting(websiteId, opener);
  const verdict = roomVerdict(sessions.kept(websiteId), waiting, openedAt, most);
  if (verdict.outcome === "too_many") return became("too_many");
  if (verdict.givesWay !== null) sessions.remove(verdict.givesWay);
  sessions.open(session, opener);
  return became("pending");
}

/**
 * Marks a session as ready and counts its visit as blocked, unless its website is paused: there is one transition, and one blocked visit, however
 * often and by however many processes it is triggered.
 */
export function recordTriggered(entry: DeclineTriggeredEntry, recording: Recording): JournalOutcome {
  const { sessionId, websiteId, vertical, suppression, isPaused = false, at } = entry;
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
      recording.sessions.markReady(sessionId, { at, suppression });
      if (isPaused) return became("ready");
      const { decidedBy } = session;
      const visit = visitOf(session, at);
      const blocked = {
        kind: "blocked" as const,
        visit,
        vertical,
        rates: null,
        ...(decidedBy && { decidedBy }),
      };
      return { ...recordBlocked(blocked, recording), session: "ready" };
    }
    default:
      return verdict satisfies never;
  }
}

const visitOf = (
  { request, websiteId, country, region, test, device }: DeclineSession,
  at: number,
): Visit => ({
  request,
  websiteId,
  country,
  region,
  surface: "decline",
  test,
  // A server's call.
  browser: null,
  device,
  at,
});

const became = (session: SessionOutcome): JournalOutcome => ({ ...passedOver, session });
