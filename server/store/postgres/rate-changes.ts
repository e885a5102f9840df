import type { RateChanges, RatedPlacement } from "../../core/click-rates.ts";
import { placementOf } from "../../core/handed-offers.ts";
import type { Ask } from "./asking.ts";
import { isNewer, type Moment, momentColumn, valuesOf } from "./new-rows.ts";

/** Rates follow their events within so many milliseconds: each new version has all answers ranked anew. */
const renewedEveryMs = 5000;

/** Offer, vertical, country, placement, impressions, clicks. */
type Row = [number, string, string, number, number, number];

export type RateReading = {
  /** What is new at `now` (milliseconds since the epoch); null: nothing, or too soon after the last time. */
  changes(now: number): Promise<RateChanges | null>;
  /** The next time all of them are new. */
  forget(): void;
};

/**
 * Prepares the question which counts are new. Their version is the number of the oldest transaction that was not over, so that
 * it grows across starts and is about the same on every node; while one stays open for long it grows by one.
 */
export function prepareRateChanges(ask: Ask): RateReading {
  let seen: Moment | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let version = 0;
  return {
    changes: async (now) => {
      // A clock that was set back is due as well.
      if (now >= readAt && now - readAt < renewedEveryMs) return null;
      const [row] = await ask<{ snapshot: Moment; oldest: number; counts: Row[] | null }>(
        `select ${momentColumn}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
           (select json_agg(json_build_array(rate_count.offer, offer.vertical, rate_count.country,
             rate_count.placement, rate_count.impressions, rate_count.clicks))
           from rate_count join offer on offer.number = rate_count.offer
           where ${seen === null ? "true" : isNewer("rate_count.changed", 1)}) as counts`,
        seen === null ? [] : valuesOf(seen),
      );
      if (row === undefined) return null;
      seen = row.snapshot;
      const counts = (row.counts ?? []).flatMap(([offer, vertical, country, place, impressions, clicks]) => {
        const placement = placementOf(place);
        return placement === "premium" || placement === "standard"
          ? [{ offer, vertical, country, placement: placement satisfies RatedPlacement, impressions, clicks }]
          : [];
      });
      if (counts.length === 0) return null;
      readAt = now;
      version = Math.max(version + 1, row.oldest);
      return { version, counts };
    },
    forget: () => {
      seen = null;
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
