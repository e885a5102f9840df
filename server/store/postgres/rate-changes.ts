import type { Surface } from "@offers/contract/words";
import type { RateChanges } from "../../core/click-rates.ts";
import { areRatesDue } from "../rate-sums.ts";
import { rateCountsOf, websiteCountsOf } from "../rows/rate-rows.ts";
import type { Ask } from "./asking.ts";
import { isNewer, type Moment, momentColumn, valuesOf } from "./new-rows.ts";

/** Offer, vertical, country, placement, impressions, clicks, surplus. */
type Row = [number, string, string, number, number, number, number];
/** Website, surface, clicks, millionths of expected ones. */
type WebsiteRow = [number, Surface, number, number];

type New = { snapshot: Moment; oldest: number; counts: Row[] | null; websites: WebsiteRow[] | null };

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
      if (!areRatesDue(now, readAt)) return null;
      const isNew = (column: string): string => (seen === null ? "true" : isNewer(column, 1));
      const [row] = await ask<New>(
        `select ${momentColumn}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest,
           (select json_agg(json_build_array(rate_count.offer, offer.vertical, rate_count.country,
             rate_count.placement, rate_count.impressions, rate_count.clicks, rate_count.surplus_milli))
           from rate_count join offer on offer.number = rate_count.offer
           where ${isNew("rate_count.changed")}) as counts,
           (select json_agg(json_build_array(website_id, surface, clicks, expected_millionths))
           from website_rate where ${isNew("changed")}) as websites`,
        seen === null ? [] : valuesOf(seen),
      );
      if (row === undefined) return null;
      seen = row.snapshot;
      const counts = rateCountsOf(
        (row.counts ?? []).map(
          ([offer, vertical, country, placement, impressions, clicks, surplusMilli]) => ({
            ...{ offer, vertical, country, placement },
            ...{ impressions, clicks, surplusMilli },
          }),
        ),
      );
      const websites = websiteCountsOf(
        (row.websites ?? []).map(([websiteId, surface, clicks, expectedMillionths]) => ({
          ...{ websiteId, surface, clicks, expectedMillionths },
        })),
      );
      if (counts.length === 0 && websites.length === 0) return null;
      readAt = now;
      version = Math.max(version + 1, row.oldest);
      return { version, counts, websites };
    },
    forget: () => {
      seen = null;
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
