import { sumExactly, type Whole, wholeOf } from "./exact-sum.ts";
import type { InCurrency } from "./report-currencies.ts";

/**
 * What a counted blocked visit has earned the publisher on average, in each currency in which it earned anything: whole
 * micro-units, rounded down; null where nobody was blocked.
 * @param sums of the surfaces on which visits are blocked, by currency: what allowed visitors clicked in a section is
 *   earned, and belongs to no blocked visit.
 */
export function earnedPerBlocked(
  sums: readonly Pick<InCurrency, "currency" | "blocked" | "earned_micros">[],
): { currency: string; micros: Whole | null }[] {
  const blocked = sums.reduce<Whole>((sum, one) => sumExactly(sum, one.blocked), 0);
  const earned = new Map<string, Whole>();
  for (const { currency, earned_micros } of sums) {
    if (currency !== null) earned.set(currency, sumExactly(earned.get(currency) ?? 0, earned_micros));
  }
  return [...earned]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, micros]) => ({
      currency,
      micros: blocked === 0 ? null : wholeOf(BigInt(micros) / BigInt(blocked)),
    }));
}
