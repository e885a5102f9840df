import type { HourOfLoads } from "./usual-loads.ts";
import { hourMs } from "./utc-day.ts";

const hoursShown = 48;

/** How often a tag was loaded in each of the 48 hours up to `now` (milliseconds since the epoch), the oldest first. */
export function loadsByHour(loads: readonly HourOfLoads[], now: number): number[] {
  const byHour = new Map(loads.map(({ hour, loads }) => [hour, loads]));
  const last = Math.floor(now / hourMs) * hourMs;
  return Array.from(
    { length: hoursShown },
    (_, at) => byHour.get(last - (hoursShown - 1 - at) * hourMs) ?? 0,
  );
}
