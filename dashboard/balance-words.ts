import type { AdvertiserPage } from "@offers/contract/dash/operator";

/**
 * How long a balance lasts at the pace of the last seven days on which something was spent. Today may have just begun, and counts
 * only where there is no other day.
 */
export function lastsFor(
  { balanceMicros, days }: Pick<AdvertiserPage, "balanceMicros" | "days">,
  today: string,
): string {
  if (balanceMicros <= 0) return "nothing left to pay with";
  const over = days.filter(({ date }) => date !== today);
  const lately = (over.length > 0 ? over : days).slice(-7);
  const daily = lately.reduce((sum, { spentMicros }) => sum + spentMicros, 0) / Math.max(1, lately.length);
  if (daily === 0) return "nothing spent yet";
  const left = Math.floor(balanceMicros / daily);
  return left === 0 ? "less than a day" : left > 365 ? "more than a year" : `about ${left} days`;
}
