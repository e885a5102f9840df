import { eventWindow } from "@offers/contract/server-events";

/**
 * When an event happened, in milliseconds since the epoch: its own `ts` (already checked to be an RFC 3339 UTC time),
 * or `now` without one. Null: more than seven days back or more than five minutes ahead.
 */
export function eventTime(ts: string | undefined, now: number): number | null {
  if (ts === undefined) return now;
  const at = Date.parse(ts);
  return at >= now - eventWindow.pastMs && at <= now + eventWindow.aheadMs ? at : null;
}

/**
 * When an event of a visit happened: not before its decision, and not after the service has heard of it. What it
 * costs is taken from the caps of that day, which a server must not choose freely. All in milliseconds since the epoch.
 */
export function visitEventTime(at: number, visit: { issuedAt: number; receivedAt: number }): number {
  return Math.max(visit.issuedAt, Math.min(at, visit.receivedAt));
}
