import { dayNumber, startOfDay } from "../../server/core/utc-day.ts";
import { preloaded } from "./preloaded.ts";

/** The variables by which it is noon, UTC, where a program starts, whatever the time is here: no day ends meanwhile. */
export function atNoon(): Record<string, string> {
  const now = Date.now();
  const noon = startOfDay(dayNumber(now)) + 12 * 60 * 60 * 1000;
  return { NODE_OPTIONS: preloaded("shifted-clock"), CLOCK_SHIFT_MS: String(noon - now) };
}
