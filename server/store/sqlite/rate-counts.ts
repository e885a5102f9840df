import type { Database as Sqlite } from "better-sqlite3";
import { mostCounted, type RateChanges, type RateCount } from "../../core/click-rates.ts";
import type { CounterFold } from "../../core/counter-fold.ts";
import { placementNumber, placementOf } from "../../core/handed-offers.ts";
import type { Cells } from "../journal/recording.ts";
import { rateRowsOf } from "../rows/rate-rows.ts";

/**
 * Prepares what adds a batch's counted impressions and clicks to what click rates are made of, inside its transaction. Test
 * traffic is left out. Each batch that changes something makes a new version, which its rows carry.
 */
export function prepareRateCounts(
  sqlite: Sqlite,
  { cellOf }: Pick<Cells, "cellOf">,
): (fold: CounterFold) => void {
  const nextVersion = sqlite
    .prepare<[], number>("update rate_version set version = version + 1 returning version")
    .pluck();
  const partKept = `case when impressions + excluded.impressions > ${mostCounted} then 2 else 1 end`;
  const add = sqlite.prepare(
    `insert into rate_count (offer, country, placement, impressions, clicks, changed) values (?, ?, ?, ?, ?, ?)
     on conflict (offer, country, placement) do update set
       impressions = (impressions + excluded.impressions) / ${partKept},
       clicks = (clicks + excluded.clicks) / ${partKept}, changed = excluded.changed`,
  );
  return (fold) => {
    const rows = rateRowsOf(fold.rateSums(), cellOf);
    if (rows.length === 0) return;
    const version = nextVersion.get();
    for (const { offer, country, placement, impressions, clicks } of rows) {
      add.run(offer, country, placementNumber(placement), impressions, clicks, version);
    }
  };
}

/** Rates follow their events within so many milliseconds: each new version has all answers ranked anew. */
const renewedEveryMs = 5000;

/**
 * Prepares the question which counts are new at `now` (milliseconds since the epoch); null: none, or too soon after the last
 * ones.
 */
export function prepareRateChanges(sqlite: Sqlite): (now: number) => RateChanges | null {
  const readVersion = sqlite.prepare<[], number>("select version from rate_version").pluck();
  const changed = sqlite.prepare<[number], Omit<RateCount, "placement"> & { placement: number }>(
    `select rate_count.offer, offer.vertical, rate_count.country, rate_count.placement, rate_count.impressions,
       rate_count.clicks
     from rate_count join offer on offer.number = rate_count.offer where rate_count.changed > +?`,
  );
  const readBoth = sqlite.transaction((seen: number): RateChanges | null => {
    const version = readVersion.get() ?? 0;
    if (version === seen) return null;
    const counts = changed.all(seen).flatMap((row) => {
      const placement = placementOf(row.placement);
      return placement === "premium" || placement === "standard" ? [{ ...row, placement }] : [];
    });
    return { version, counts };
  });
  let seen = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return (now) => {
    // A clock that was set back is due as well.
    if (now >= readAt && now - readAt < renewedEveryMs) return null;
    const changes = readBoth(seen);
    if (changes === null) return null;
    seen = changes.version;
    readAt = now;
    return changes;
  };
}
