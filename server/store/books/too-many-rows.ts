/** A report would have more rows than its filter's `mostRows`. */
export class TooManyRows extends Error {}

/** How many lines may be added up for so many rows: most places have one of a currency and one of none, which make a row. */
export function linesMost(mostRows: number): number {
  return 2 * mostRows;
}
