import type { RateCount } from "../../core/click-rates.ts";
import type { RateSum } from "../../core/counter-fold.ts";
import type { Cells } from "../journal/recording.ts";

/** What is added to a row of the counts that click rates are made of. */
export type RateRow = Omit<RateCount, "vertical">;

/**
 * One row for each offer, country and place in which something has changed, whatever the number of cells. Test traffic is left
 * out.
 */
export function rateRowsOf(sums: Iterable<RateSum>, cellOf: Cells["cellOf"]): RateRow[] {
  const rows = new Map<string, RateRow>();
  for (const { offer, cell, placement, impressions, clicks } of sums) {
    const { country, test } = cellOf(cell);
    if (test) continue;
    const key = `${offer} ${country} ${placement}`;
    const row = rows.get(key) ?? { offer, country, placement, impressions: 0, clicks: 0 };
    row.impressions += impressions;
    row.clicks += clicks;
    rows.set(key, row);
  }
  return [...rows.values()].filter(({ impressions, clicks }) => impressions !== 0 || clicks !== 0);
}
