import { dayMs, dayNumber } from "./utc-day.ts";

/** When so long has passed since its day began, a visitors' salt is destroyed, and what was named with it is worth nothing. */
export const saltKeptMs = 2 * dayMs;

/**
 * The days whose salts exist at `now` (milliseconds since the epoch), the oldest first; older ones are destroyed. That of
 * tomorrow is one of them, so that midnight finds its own ready.
 */
export function saltDays(now: number): readonly [oldest: number, ...others: number[]] {
  const today = dayNumber(now);
  return [dayNumber(now - saltKeptMs) + 1, today, today + 1];
}
