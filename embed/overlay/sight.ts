/**
 * When an ad counts as seen, by the Media Rating Council's rule for display: half of its pixels, or 30 % of
 * a large one, in a visible tab, for one second without a break.
 * https://mediaratingcouncil.org/standards
 */
const rule = { share: 0.5, largeShare: 0.3, largeAreaPx: 242_500, ms: 1000 };

/** How one offer has been seen so far: since when enough of it is in view (null: it is not), and its best share. */
export type Sight = { sinceMs: number | null; bestRatio: number };

/** One look: the share of its pixels in view (0 to 1), its area in square CSS pixels, and when. */
export type Glance = { ratio: number; areaPx: number; isPageVisible: boolean; atMs: number };

export const unseen: Sight = { sinceMs: null, bestRatio: 0 };

/** Whether so large a share of an offer of that area is enough for it to be seen. */
export function isEnough(ratio: number, areaPx: number): boolean {
  return areaPx > 0 && ratio >= (areaPx >= rule.largeAreaPx ? rule.largeShare : rule.share);
}

/** The sight after one more look. A look that shows too little ends the second that was running. */
export function look(sight: Sight, { ratio, areaPx, isPageVisible, atMs }: Glance): Sight {
  if (!isPageVisible || !isEnough(ratio, areaPx)) return unseen;
  return { sinceMs: sight.sinceMs ?? atMs, bestRatio: Math.max(sight.bestRatio, ratio) };
}

/** Milliseconds that are still missing; 0 when the offer has been seen, null while too little is in view. */
export function missingMs({ sinceMs }: Sight, atMs: number): number | null {
  return sinceMs === null ? null : Math.max(0, sinceMs + rule.ms - atMs);
}
