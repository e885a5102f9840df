import type { SessionId } from "@offers/contract/ids";
import { type DeclineSession, expiryOf, sessionIdOf } from "../../core/decline-session.ts";
import type { DeclineOpenedEntry, DeclineTriggeredEntry } from "../../core/journal-entry.ts";
import { morning } from "./journal-for-tests.ts";

/** Whose page opens the sessions. */
export const own = { websiteId: 7, origin: "https://loans.example" };

/** A session that nobody has triggered, told from others by its number. */
export function sessionOf(number: number, openedAt = morning): DeclineSession {
  return {
    sessionId: sessionIdOf(Buffer.from(String(number).padStart(16, "0"))),
    ...own,
    request: String(number).padStart(16, "r"),
    country: "DE",
    region: "BE",
    test: false,
    device: 0,
    visitor: "v".repeat(22),
    openedAt,
    expiresAt: expiryOf(openedAt),
    readyAt: null,
    suppression: null,
  };
}

/** Every network has a name of its own; `network` tells it. */
export function opening(
  { readyAt: _, suppression: __, ...session }: DeclineSession,
  network = 0,
): DeclineOpenedEntry {
  return { kind: "decline_opened", session, opener: String(network).padStart(16, "n") };
}

export function trigger(
  sessionId: SessionId,
  at: number,
  over: Partial<DeclineTriggeredEntry> = {},
): DeclineTriggeredEntry {
  return {
    kind: "decline_triggered",
    sessionId,
    websiteId: own.websiteId,
    vertical: "loans",
    suppression: null,
    at,
    ...over,
  };
}
