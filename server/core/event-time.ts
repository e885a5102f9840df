import { eventWindow } from "@offers/contract/server-events";
import { idempotencyMs } from "./idempotency.ts";

/** `at`: milliseconds since the epoch. `isTooOld`: for a new event, but not for a repetition under an idempotency key. */
export type EventTime = { at: number; isTooOld: boolean };

/**
 * When an event happened: its own `ts` (already checked to be an RFC 3339 UTC time), or `now` without one. It is too old
 * when it is more than seven days back. Null: more than five minutes ahead, or as far back as no event has been whose
 * answer is still kept.
 */
export function eventTime(ts: string | undefined, now: number): EventTime | null {
  const at = ts === undefined ? now : Date.parse(ts);
  const agoMs = now - at;
  const isPossible = agoMs >= -eventWindow.aheadMs && agoMs < eventWindow.pastMs + idempotencyMs;
  return isPossible ? { at, isTooOld: agoMs > eventWindow.pastMs } : null;
}

/**
 * When an event of a visit happened: not before its decision, and not after the service has heard of it. What it
 * costs is taken from the caps of that day, which a server must not choose freely. All in milliseconds since the epoch.
 */
export function visitEventTime(at: number, visit: { issuedAt: number; receivedAt: number }): number {
  return Math.max(visit.issuedAt, Math.min(at, visit.receivedAt));
}
