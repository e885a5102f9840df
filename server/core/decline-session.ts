import type { SessionId } from "@offers/contract/ids";
import { declineSession } from "@offers/contract/words";
import type { DecidedBy } from "./geo-source.ts";
import type { SealedFacts } from "./request-facts.ts";
import type { Suppression } from "./suppression.ts";

/** A visitor who waits for the website's own server to decline them. Times are milliseconds since the epoch. */
export type DeclineSession = {
  sessionId: SessionId;
  websiteId: number;
  /** The origin of the page that opened the session; no other page may read it. */
  origin: string;
  /** The key of the visit that becomes of it, 16 characters: what `requestKeyOf` made for `openedAt`. */
  request: string;
  /** As located at the opening. */
  country: string;
  region: string;
  test: boolean;
  /** The class of the visitor's device, a `deviceNumber`. */
  device: number;
  /** The visitor's hash of the day of the opening; null when none may be made. */
  visitor: string | null;
  /** At the opening; absent: a session of before this was kept. */
  decidedBy?: DecidedBy;
  openedAt: number;
  expiresAt: number;
  /** When it was triggered; null: nobody has triggered it. */
  readyAt: number | null;
  suppression: Suppression | null;
};

/** A session that was triggered in time. Nothing of it changes any more. */
export type TriggeredSession = DeclineSession & { readyAt: number };

/** How many random bytes a session's id is made of. */
export const sessionIdBytes = 16;

/** The id of a new session, `dcl_` and 22 characters. Throws a RangeError unless there are 16 random bytes. */
export function sessionIdOf(random: Buffer): SessionId {
  if (random.length !== sessionIdBytes) throw new RangeError(`a session id has ${sessionIdBytes} bytes`);
  return `dcl_${random.toString("base64url")}` as SessionId;
}

/** When a session that is opened at `openedAt` expires, both in milliseconds since the epoch. */
export function expiryOf(openedAt: number): number {
  return openedAt + declineSession.lifeSeconds * 1000;
}

/** Whether a session is over at `now`. No job marks a session as over: whoever reads it compares the times. */
export function hasExpired(session: Pick<DeclineSession, "expiresAt">, now: number): boolean {
  return now >= session.expiresAt;
}

/** How many sessions are kept: of all websites, and of the one that a page opens another for. */
export type KeptSessions = { all: number; ofWebsite: number };

/** A session that nobody has triggered. */
export type WaitingSession = Pick<DeclineSession, "sessionId" | "expiresAt">;

/**
 * The most that are kept (decisions.md#sessions-give-way). All together: some 150 MB, which no honest traffic comes
 * near. Of one website a tenth: eleven openings a second for as long as a session is kept, and five times what one
 * integration secret can trigger in that time.
 */
export const mostSessions: KeptSessions = { all: 500_000, ofWebsite: 50_000 };

export type RoomVerdict = { outcome: "open"; givesWay: SessionId | null } | { outcome: "too_many" };

/**
 * Whether one more session can be opened at `now` (milliseconds since the epoch), and which one of the website gives way
 * to it. `waiting`: the website's oldest that nobody has triggered, and the oldest of those from the opener's own
 * network. One that is over goes first; then the opener's own, so that a flood out of one network drives out itself.
 */
export function roomVerdict(
  kept: KeptSessions,
  waiting: { oldest: WaitingSession | null; oldestOfOpener: WaitingSession | null },
  now: number,
  most = mostSessions,
): RoomVerdict {
  if (kept.all < most.all && kept.ofWebsite < most.ofWebsite) return { outcome: "open", givesWay: null };
  const { oldest, oldestOfOpener } = waiting;
  if (oldest === null) return { outcome: "too_many" };
  const givesWay = hasExpired(oldest, now) ? oldest : (oldestOfOpener ?? oldest);
  return { outcome: "open", givesWay: givesWay.sessionId };
}

/** What a poll finds. A session of another website or page is answered as one that does not exist. */
export type PollVerdict =
  | { outcome: "unknown" }
  | { outcome: "pending" | "expired"; session: DeclineSession }
  | { outcome: "ready"; session: TriggeredSession };

/** Judges a poll by a page of `origin` for the website. */
export function pollVerdict(
  session: DeclineSession | null,
  asked: { websiteId: number; origin: string; now: number },
): PollVerdict {
  if (session === null || session.websiteId !== asked.websiteId || session.origin !== asked.origin) {
    return { outcome: "unknown" };
  }
  if (hasExpired(session, asked.now)) return { outcome: "expired", session };
  return isTriggered(session) ? { outcome: "ready", session } : { outcome: "pending", session };
}

/** `become_ready` is the one transition; every later trigger finds it done and changes nothing. */
export type TriggerVerdict = "unknown" | "expired" | "become_ready" | "stay_ready";

/** Judges a trigger that the website's own server sent at `now`. */
export function triggerVerdict(
  session: Pick<DeclineSession, "websiteId" | "expiresAt" | "readyAt"> | null,
  asked: { websiteId: number; now: number },
): TriggerVerdict {
  if (session === null || session.websiteId !== asked.websiteId) return "unknown";
  if (hasExpired(session, asked.now)) return "expired";
  return session.readyAt === null ? "become_ready" : "stay_ready";
}

/**
 * What is sealed into the requestId of a session that became ready. It is the same at every poll: the requestId is
 * made anew each time, and one key must never seal two different facts. It counts as issued when the session was
 * opened, for that is the time of its key.
 */
export function factsOfSession(session: TriggeredSession): SealedFacts {
  return {
    websiteId: session.websiteId,
    country: session.country,
    region: session.region,
    allowed: false,
    surface: "decline",
    test: session.test,
    visitor: session.visitor,
    ...(session.suppression && { suppression: session.suppression }),
    ...(session.decidedBy && { decidedBy: session.decidedBy }),
    issuedAt: session.openedAt,
  };
}

function isTriggered(session: DeclineSession): session is TriggeredSession {
  return session.readyAt !== null;
}
