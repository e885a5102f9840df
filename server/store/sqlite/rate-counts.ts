import type { Database as Sqlite } from "better-sqlite3";
import type { RateChanges } from "../../core/click-rates.ts";
import type { CounterFold } from "../../core/counter-fold.ts";
import type { Cells } from "../journal/recording.ts";
import { addingToOffer, addingToWebsite, areRatesDue, expectedOf, isKnown, surplusOf } from "../rate-sums.ts";
import {
  type RateRow,
  type ReadCount,
  type ReadWebsite,
  rateCountsOf,
  rateRowsOf,
  websiteCountsOf,
} from "../rows/rate-rows.ts";

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
  const readExpected = sqlite
    .prepare<[number, string, number], number>(
      `select ${expectedOf("known")} from rate_count known
       where offer = ? and country = ? and placement = ? and ${isKnown("known")}`,
    )
    .pluck();
  const readSurplus = sqlite
    .prepare<[number, string], number>(
      `select ${surplusOf("w")} from website_rate w where website_id = ? and surface = ?`,
    )
    .pluck();
  const addWebsite = sqlite.prepare(
    `insert into website_rate (website_id, surface, clicks, expected_millionths, changed) values (?, ?, ?, ?, ?) ${addingToWebsite}`,
  );
  const addOffer = sqlite.prepare(
    `insert into rate_count (offer, country, placement, impressions, clicks, surplus_milli, changed)
     values (?, ?, ?, ?, ?, ?, ?) ${addingToOffer}`,
  );
  /** By what is known of the offers so far. */
  const addWebsites = (rows: readonly RateRow[], version: number | undefined): void => {
    const sums = sumsBy(rows, websiteOf, ({ offer, country, placement, impressions, clicks }) => {
      const expected = readExpected.get(offer, country, placement);
      return expected === undefined ? null : [clicks, impressions * expected];
    });
    for (const [{ websiteId, surface }, sum] of sums) addWebsite.run(websiteId, surface, ...sum, version);
  };
  /** By what is known of the websites now. */
  const addOffers = (rows: readonly RateRow[], version: number | undefined): void => {
    const surpluses = new Map<string, number>();
    const surplusFor = (row: RateRow): number => {
      const known = surpluses.get(websiteOf(row)) ?? readSurplus.get(row.websiteId, row.surface) ?? 0;
      surpluses.set(websiteOf(row), known);
      return known;
    };
    const sums = sumsBy(rows, offerOf, (row) => [
      ...[row.impressions, row.clicks, row.impressions * surplusFor(row)],
    ]);
    for (const [{ offer, country, placement }, sum] of sums) {
      addOffer.run(offer, country, placement, ...sum, version);
    }
  };
  return (fold) => {
    const rows = rateRowsOf(fold.rateSums(), cellOf);
    if (rows.length === 0) return;
    const version = nextVersion.get();
    addWebsites(rows, version);
    addOffers(rows, version);
  };
}

const websiteOf = ({ websiteId, surface }: RateRow): string => `${websiteId} ${surface}`;
const offerOf = ({ offer, country, placement }: RateRow): string => `${offer} ${country} ${placement}`;

/** Adds up what rows of one key come to, those that come to null left out; each with the first row of its key. */
const sumsBy = (
  rows: readonly RateRow[],
  keyOf: (row: RateRow) => string,
  figuresOf: (row: RateRow) => number[] | null,
): Iterable<[RateRow, number[]]> => {
  const sums = new Map<string, [RateRow, number[]]>();
  for (const row of rows) {
    const figures = figuresOf(row);
    if (figures === null) continue;
    const known = sums.get(keyOf(row));
    if (known === undefined) sums.set(keyOf(row), [row, figures]);
    else for (const [at, figure] of figures.entries()) known[1][at] = (known[1][at] ?? 0) + figure;
  }
  return sums.values();
};

/**
 * Prepares the question which counts are new at `now` (milliseconds since the epoch); null: none, or too soon after the last
 * ones.
 */
export function prepareRateChanges(sqlite: Sqlite): (now: number) => RateChanges | null {
  const readVersion = sqlite.prepare<[], number>("select version from rate_version").pluck();
  const changed = sqlite.prepare<[number], ReadCount>(
    `select rate_count.offer, offer.vertical, rate_count.country, rate_count.placement, rate_count.impressions,
       rate_count.clicks, rate_count.surplus_milli as surplusMilli
     from rate_count join offer on offer.number = rate_count.offer where rate_count.changed > +?`,
  );
  const changedWebsites = sqlite.prepare<[number], ReadWebsite>(
    `select website_id as websiteId, surface, clicks, expected_millionths as expectedMillionths
     from website_rate where changed > +?`,
  );
  const readBoth = sqlite.transaction((seen: number): RateChanges | null => {
    const version = readVersion.get() ?? 0;
    if (version === seen) return null;
    const counts = rateCountsOf(changed.all(seen));
    return { version, counts, websites: websiteCountsOf(changedWebsites.all(seen)) };
  });
  let seen = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (!areRatesDue(now, readAt)) return null;
    const changes = readBoth(seen);
    if (changes === null) return null;
    seen = changes.version;
    readAt = now;
    return changes;
  };
}
