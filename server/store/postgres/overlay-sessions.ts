import { type DeclineSession, mostSessions, type WaitingSession } from "../../core/decline-session.ts";
import type { Suppression } from "../../core/suppression.ts";
import type { Sessions } from "../journal/recording.ts";
import { NotReadAhead, readOf } from "./not-read-ahead.ts";
import { openerKey, type ReadAhead } from "./read-rows.ts";

/** A session as the batch leaves it. */
export type OpenedSession = {
  session: DeclineSession;
  /** Null: it was triggered. */
  opener: string | null;
};

export type ReadySession = { id: string; at: number; suppression: Suppression | null };

/** What a batch does to the rows of decline sessions. */
export type SessionChanges = { opened: OpenedSession[]; ready: ReadySession[]; removed: string[] };

/**
 * So near to the most that are kept, other nodes could open too many beside a batch that knows of none of theirs: it needs
 * them locked out then.
 */
const nearShare = 0.1;

/** The rows of decline sessions as they were read, with what the batch does to them. */
export function overlaySessions(read: Pick<ReadAhead, "sessions" | "kept" | "waiting">): {
  sessions: Sessions;
  changes(): SessionChanges;
} {
  const own = new Map<string, OpenedSession>();
  const ready = new Map<string, ReadySession>();
  const removed = new Set<string>();
  const keptBeside = new Map<number, number>();
  const lines = new Map<string, Line>();
  /** The websites of those that were shown as the oldest. */
  const shown = new Map<string, number>();

  const keptOf = (websiteId: number): number =>
    readOf(read.kept, websiteId, "sessions kept of") + (keptBeside.get(websiteId) ?? 0);
  const addKept = (websiteId: number, sessions: number): void => {
    for (const id of [0, websiteId]) keptBeside.set(id, (keptBeside.get(id) ?? 0) + sessions);
  };
  const isNear = (sessions: number, most: number): boolean => sessions >= most * (1 - nearShare);
  const isGone = (id: string): boolean =>
    removed.has(id) || ready.has(id) || (own.has(id) && own.get(id)?.opener === null);
  /** Of those that wait the oldest, of the rows that were read and behind them of this batch's own. */
  const oldestOf = (
    websiteId: number,
    key: string,
    stored: { sessions: WaitingSession[]; areAll: boolean } | undefined,
  ): WaitingSession | null => {
    if (stored === undefined) throw new NotReadAhead(`who waits of ${key}`);
    const line = lineOf(key);
    for (; line.stored < stored.sessions.length; line.stored += 1) {
      const session = stored.sessions[line.stored];
      if (session === undefined || isGone(session.sessionId)) continue;
      shown.set(session.sessionId, websiteId);
      return session;
    }
    if (!stored.areAll) throw new NotReadAhead(`more of who waits of ${key}`);
    for (; line.own < line.opened.length; line.own += 1) {
      const session = line.opened[line.own];
      if (session !== undefined && !isGone(session.sessionId)) return session;
    }
    return null;
  };
  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { stored: 0, own: 0, opened: [] };
    lines.set(key, line);
    return line;
  };

  const sessions: Sessions = {
    kept: (websiteId) => {
      const kept = { all: keptOf(0), ofWebsite: keptOf(websiteId) };
      if (
        read.waiting === null &&
        (isNear(kept.all, mostSessions.all) || isNear(kept.ofWebsite, mostSessions.ofWebsite))
      ) {
        throw new NotReadAhead("sessions near to the most that are kept");
      }
      return kept;
    },
    // Asked for with every opening, and looked at where there is no room: only then it has to have been read.
    waiting: (websiteId, opener) => ({
      get oldest() {
        return oldestOf(websiteId, `${websiteId}`, read.waiting?.ofWebsite.get(websiteId));
      },
      get oldestOfOpener() {
        const key = openerKey(websiteId, opener);
        return oldestOf(websiteId, key, read.waiting?.ofOpener.get(key));
      },
    }),
    open: (session, opener) => {
      const { sessionId, websiteId, expiresAt } = session;
      own.set(sessionId, {
        session: { ...session, readyAt: null, suppression: null },
        opener,
      });
      for (const key of [`${websiteId}`, openerKey(websiteId, opener)]) {
        lineOf(key).opened.push({ sessionId, expiresAt });
      }
      addKept(websiteId, 1);
    },
    remove: (sessionId) => {
      const opened = own.get(sessionId);
      removed.add(sessionId);
      addKept(opened?.session.websiteId ?? readOf(shown, sessionId, "the waiting session"), -1);
    },
    find: (sessionId) => {
      if (removed.has(sessionId)) return null;
      const opened = own.get(sessionId);
      if (opened !== undefined) return opened.session;
      const stored = readOf(read.sessions, sessionId, "the session");
      const triggered = ready.get(sessionId);
      if (stored === null || triggered === undefined) return stored;
      return { ...stored, readyAt: triggered.at, suppression: triggered.suppression };
    },
    markReady: (sessionId, { at, suppression }) => {
      const opened = own.get(sessionId);
      if (opened === undefined) ready.set(sessionId, { id: sessionId, at, suppression });
      else {
        const session = { ...opened.session, readyAt: at, suppression };
        own.set(sessionId, { session, opener: null });
      }
    },
  };
  return {
    sessions,
    changes: () => ({
      opened: [...own.values()].filter(({ session }) => !removed.has(session.sessionId)),
      ready: [...ready.values()].filter(({ id }) => !removed.has(id)),
      removed: [...removed].filter((id) => !own.has(id)),
    }),
  };
}

/** How far a line of waiting sessions has been gone through: nobody comes back into it. */
type Line = { stored: number; own: number; opened: WaitingSession[] };
