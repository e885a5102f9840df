import { mostCounted } from "../core/click-rates.ts";
import { leastKnown, mostExpected, websitePrior } from "../core/website-factors.ts";

// What every engine reckons with while it adds to what click rates are made of: whole numbers, so that all have the same.

/** Whether views of an offer tell something of a website: an expression of its `rate_count`. */
export const isKnown = (row: string): string => `${weightOf(row)} >= ${leastKnown * 1000}`;

/** How many millionths of a click are expected of a view, by a `rate_count` that is known. */
export const expectedOf = (row: string): string => `${row}.clicks * 1000000000 / ${weightOf(row)}`;

/**
 * How many thousandths of a view one weighs more than on a usual website, by the `website_rate`: the mean of `factorOf`
 * (website-factors.ts).
 */
export const surplusOf = (row: string): string =>
  `(${notBelow0(`${row}.clicks`)} * 1000000 + ${prior}) * 1000 / (${notBelow0(`${row}.expected_millionths`)} + ${prior}) - 1000`;

const prior = websitePrior * 1_000_000;

/** What is counted out after its row was halved may leave less than nothing, and no batch is to divide by nothing for it. */
const notBelow0 = (column: string): string => `(case when ${column} > 0 then ${column} else 0 end)`;

/** The thousandths of a view that a row's impressions weigh. */
const weightOf = (row: string): string => `(${row}.impressions * 1000 + ${row}.surplus_milli)`;

/** What an insert does with a row that is there: it adds, and goes on from half of all where one of the columns has become too much. */
const adding = (
  { table, key, columns }: { table: string; key: string; columns: readonly string[] },
  deciding: string,
  most: number,
): string => {
  const sum = (column: string): string => `(${table}.${column} + excluded.${column})`;
  const part = `case when ${sum(deciding)} > ${most} then 2 else 1 end`;
  const sums = columns.map((column) => `${column} = ${sum(column)} / ${part}`);
  return `on conflict (${key}) do update set ${sums.join(", ")}, changed = excluded.changed`;
};

export const addingToOffer = adding(
  {
    table: "rate_count",
    key: "offer, country, placement",
    columns: ["impressions", "clicks", "surplus_milli"],
  },
  "impressions",
  mostCounted,
);

export const addingToWebsite = adding(
  { table: "website_rate", key: "website_id, surface", columns: ["clicks", "expected_millionths"] },
  "expected_millionths",
  mostExpected * 1_000_000,
);

/** Rates follow their events within so many milliseconds: each new version has all answers ranked anew. */
const renewedEveryMs = 5000;

/** Whether rates that were read at `readAt` may be read anew at `now`, both in milliseconds. A clock that was set back is due as well. */
export function areRatesDue(now: number, readAt: number): boolean {
  return now < readAt || now - readAt >= renewedEveryMs;
}
