import type { FoldedSum } from "../../core/counter-fold.ts";
import type { DetailLine } from "../../core/detail-lines.ts";

/** Puts what is to be added together by hour: one row of what waits for each. */
export function linesByHour(sums: Iterable<FoldedSum>): Map<number, DetailLine[]> {
  const hours = new Map<number, DetailLine[]>();
  for (const sum of sums) {
    const lines = hours.get(sum.hour);
    if (lines === undefined) hours.set(sum.hour, [sum]);
    else lines.push(sum);
  }
  return hours;
}
