import type { AdvertiserPage } from "@offers/contract/dash/operator";

/**
 * How long a balance lasts at the pace of the last seven days, or of as many as there are since the first on which anything was
 * spent. Today may have just begun, and counts only where nothing was spent on those.
 */
export function lastsFor(
  { balanceMicros, days }: Pick<AdvertiserPage, "balanceMicros" | "days">,
  today: string,
): string {
  if (balanceMicros <= 0) return "nothing left to pay with";
  if (days.length === 0) return "nothing spent yet";
  const over = days.filter(({ date }) => date < today).slice(-7);
  const daily = dailyOf(over) || dailyOf(days.filter(({ date }) => date >= today));
  if (daily === 0) return "nothing spent in the last 7 days";
  const left = Math.floor(balanceMicros / daily);
  if (left === 0) return "less than a day";
  return left > 365 ? "more than a year" : left === 1 ? "about a day" : `about ${left} days`;
}

/** What was spent in a day of these, on average. */
const dailyOf = (days: AdvertiserPage["days"]): number =>
  days.reduce((sum, { spentMicros }) => sum + spentMicros, 0) / Math.max(1, days.length);
