import { type Check, equal } from "../checks.ts";
import type { Timed } from "./timed-visits.ts";

/**
 * Whether what is there is a beginning of what was acknowledged: whatever was acknowledged before the copy began is there, and
 * of two events of which the first was acknowledged before the second was sent, never the second alone. `left`: how many were
 * sent while it was made and are not in it. Where there are none, nothing shows that it was made under load.
 */
export function comparePrefix(
  events: ReadonlyMap<string, Timed>,
  there: ReadonlySet<string>,
  { beganAt, endedAt }: { beganAt: number; endedAt: number },
): { checks: Check[]; left: number } {
  let [late, earliestMissing, latestThere, left] = [0, Number.POSITIVE_INFINITY, 0, 0];
  for (const [key, { sentAt, ackedAt }] of events) {
    if (there.has(key)) {
      latestThere = Math.max(latestThere, sentAt);
      continue;
    }
    if (sentAt > beganAt && sentAt < endedAt) left += 1;
    if (ackedAt === null) continue;
    if (ackedAt < beganAt) late += 1;
    earliestMissing = Math.min(earliestMissing, ackedAt);
  }
  const gap = earliestMissing < latestThere ? Math.round(latestThere - earliestMissing) : 0;
  const unknown = [...there].filter((key) => !events.has(key)).length;
  const checks = [
    equal("acknowledged before it began, and not there", late, 0),
    equal("there without what was acknowledged before it was sent, in ms", gap, 0),
    equal("there, and never sent", unknown, 0),
  ];
  return { checks, left };
}
