import type { Surface } from "@offers/contract/words";
import type { RateCount } from "../../core/click-rates.ts";
import type { RateSum } from "../../core/counter-fold.ts";
import { placementNumber, placementOf } from "../../core/handed-offers.ts";
import type { WebsiteCount } from "../../core/website-factors.ts";
import type { Cells } from "../journal/recording.ts";

/** What a batch adds to an offer's counts in a country and a place (its `placementNumber`), from one surface of one website. */
export type RateRow = {
  offer: number;
  country: string;
  placement: number;
  websiteId: number;
  surface: Surface;
  impressions: number;
  clicks: number;
};

/**
 * One row for each offer, country, place, website and surface in which something has changed, whatever the number of cells. Test
 * traffic is left out.
 */
export function rateRowsOf(sums: Iterable<RateSum>, cellOf: Cells["cellOf"]): RateRow[] {
  const rows = new Map<string, RateRow>();
  for (const { offer, cell, placement: place, impressions, clicks } of sums) {
    const { country, websiteId, surface, test } = cellOf(cell);
    if (test) continue;
    const placement = placementNumber(place);
    const key = `${offer} ${country} ${placement} ${websiteId} ${surface}`;
    const row = rows.get(key) ?? {
      ...{ offer, country, placement, websiteId, surface },
      ...{ impressions: 0, clicks: 0 },
    };
    row.impressions += impressions;
    row.clicks += clicks;
    rows.set(key, row);
  }
  return [...rows.values()].filter(({ impressions, clicks }) => impressions !== 0 || clicks !== 0);
}

/** A `rate_count` with its offer's vertical, as it is read. */
export type ReadCount = {
  offer: number;
  vertical: string;
  country: string;
  placement: number;
  impressions: number;
  clicks: number;
  surplusMilli: number;
};

/** What rates are made of; a place that has none is left out. */
export function rateCountsOf(rows: readonly ReadCount[]): RateCount[] {
  return rows.flatMap(({ placement: number, impressions, surplusMilli, ...row }) => {
    const placement = placementOf(number);
    if (placement !== "premium" && placement !== "standard") return [];
    const weighed = Math.max(0, impressions + surplusMilli / 1000);
    return [{ ...row, placement, impressions: weighed }];
  });
}

/** A `website_rate`, as it is read. */
export type ReadWebsite = Omit<WebsiteCount, "expected"> & { expectedMillionths: number };

/** What the websites' factors are made of. */
export function websiteCountsOf(rows: readonly ReadWebsite[]): WebsiteCount[] {
  return rows.map(({ expectedMillionths, ...row }) => ({ ...row, expected: expectedMillionths / 1_000_000 }));
}
