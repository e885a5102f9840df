import { type Kysely, sql } from "kysely";
import { sumExactly, type Whole, wholeOf } from "../../core/exact-sum.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { exactly, wholeRead } from "./exact-column.ts";

/** What was billed in one currency, amounts in its micro-units. */
export type Billing = {
  currency: string;
  billableClicks: Whole;
  billedViews: Whole;
  spend: Whole;
  /** The publisher's part of the spend; both parts add up to it. */
  earnings: Whole;
  operatorsPart: Whole;
};

/** A figure of a website and a currency that the ledger and the reports' counters do not agree on. */
export type StatementDifference = {
  websiteKey: string;
  currency: string;
  figure: "billableClicks" | "spend" | "earnings";
  ledger: Whole;
  counters: Whole;
};

export type Statement = {
  /** By website, the oldest first, and currency; without those of which nothing was billed. */
  items: (Billing & { websiteKey: string })[];
  /** The sums of the items of each currency, in the order of the codes. */
  totals: Billing[];
  /** Lines of the ledger that it is made of. */
  lines: number;
  differences: StatementDifference[];
};

/**
 * What was billed on a publisher's websites from one UTC date to another, both included, as the ledger has it, and where
 * the counters of reports say otherwise. Both are read at one moment. Test traffic is billed nowhere, and is in none.
 */
export function readStatement(
  db: Kysely<Schema>,
  { publisherId, from, to }: { publisherId: string; from: string; to: string },
): Promise<Statement> {
  const days = sql`between ${dayNumber(Date.parse(from))} and ${dayNumber(Date.parse(to))}`;
  return atOneMoment(db, async (tx) => {
    const { rows: billed } = await sql<ReadSums & { websiteKey: string; billedViews: number }>`
      select website.key as "websiteKey", line.currency, count(*) filter (where line.kind = 'click') as "billableClicks",
        count(*) filter (where line.kind = 'impression') as "billedViews", ${exactly(tx, sql`-sum(line.micros)`)} as spend,
        ${exactly(tx, sql`sum(line.earned_micros)`)} as earnings
      from ledger_line as line join website on website.id = line.website
      where website.publisher_id = ${publisherId} and line.kind <> 'deposit' and line.day ${days}
      group by website.id, line.currency order by website.id, line.currency`.execute(tx);
    const { rows: counted } = await sql<ReadSums & { websiteKey: string }>`
      select website.key as "websiteKey", counted.currency, sum(billable_clicks) as "billableClicks",
        ${exactly(tx, sql`sum(spend_micros)`)} as spend, ${exactly(tx, sql`sum(earned_micros)`)} as earnings
      from (
        select website_id, day, test, currency, billable_clicks, spend_micros, earned_micros from counter_day
        union all
        select website_id, counter_delta.day, test, currency, billable_clicks, spend_micros, earned_micros
        from counter_delta cross join cell where cell.id = counter_delta.cell
      ) as counted join website on website.id = counted.website_id
      where website.publisher_id = ${publisherId} and test = 0 and counted.day ${days}
      group by website.id, counted.currency
      having sum(billable_clicks) <> 0 or sum(spend_micros) <> 0 or sum(earned_micros) <> 0
      order by website.id, counted.currency`.execute(tx);
    const items = billed.map(({ websiteKey, billedViews, ...sums }) => ({
      websiteKey,
      ...billingOf({ ...exactSums(sums), currency: sums.currency, billedViews }),
    }));
    return {
      items,
      totals: totalsOf(items),
      lines: items.reduce((sum, item) => sum + Number(item.billableClicks) + Number(item.billedViews), 0),
      differences: differencesOf(billed, counted),
    };
  });
}

type ReadSums = {
  currency: string;
  billableClicks: number;
  spend: number | string;
  earnings: number | string;
};

const compared = ["billableClicks", "spend", "earnings"] as const;
type Sums = Record<(typeof compared)[number], Whole>;

const exactSums = ({ billableClicks, spend, earnings }: Omit<ReadSums, "currency">): Sums => ({
  billableClicks,
  spend: wholeRead(spend),
  earnings: wholeRead(earnings),
});

const billingOf = (sums: Omit<Billing, "operatorsPart">): Billing => ({
  ...sums,
  operatorsPart: wholeOf(BigInt(sums.spend) - BigInt(sums.earnings)),
});

const totalsOf = (items: readonly Billing[]): Billing[] => {
  const sumOf = (some: readonly Billing[], of: (one: Billing) => Whole): Whole =>
    some.reduce<Whole>((sum, one) => sumExactly(sum, of(one)), 0);
  return [...Map.groupBy(items, ({ currency }) => currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, some]) =>
      billingOf({
        currency,
        billableClicks: sumOf(some, (one) => one.billableClicks),
        billedViews: sumOf(some, (one) => one.billedViews),
        spend: sumOf(some, (one) => one.spend),
        earnings: sumOf(some, (one) => one.earnings),
      }),
    );
};

type PlacedSums = ReadSums & { websiteKey: string };

const differencesOf = (
  billed: readonly PlacedSums[],
  counted: readonly PlacedSums[],
): StatementDifference[] => {
  const placeOf = ({ websiteKey, currency }: PlacedSums): string => `${websiteKey} ${currency}`;
  const byPlace = (rows: readonly PlacedSums[]) => new Map(rows.map((row) => [placeOf(row), row]));
  const [inLedger, inCounters] = [byPlace(billed), byPlace(counted)];
  const places = new Map([...inCounters, ...inLedger]);
  const sumsOf = (row: PlacedSums | undefined): Sums =>
    row === undefined ? { billableClicks: 0, spend: 0, earnings: 0 } : exactSums(row);
  return [...places].flatMap(([place, { websiteKey, currency }]) => {
    const [ledger, counters] = [sumsOf(inLedger.get(place)), sumsOf(inCounters.get(place))];
    return compared
      .filter((figure) => ledger[figure] !== counters[figure])
      .map((figure) => ({
        websiteKey,
        currency,
        figure,
        ledger: ledger[figure],
        counters: counters[figure],
      }));
  });
};
