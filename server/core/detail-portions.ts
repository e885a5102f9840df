/*
 * What waits to be added to the sums of reports waits by portions of the websites, once it is sorted (sqlite/waiting-sums.ts):
 * whoever writes has a few of them at a time to add, and a report of a website has one of them to read.
 */

export const portions = 256;

/** More rows than a portion ever has. */
export const portionSpan = 2 ** 20;

export function portionOf(websiteId: number): number {
  return websiteId % portions;
}

/** Between which numbers a portion's sorted rows are, all of them below 0. */
export function numbersOf(portion: number): { from: number; to: number } {
  return { from: -(portion + 1) * portionSpan, to: -portion * portionSpan - 1 };
}
