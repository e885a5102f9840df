import { type Kysely, sql } from "kysely";
import { sumExactly, type Whole, wholeOf } from "../../core/exact-sum.ts";
import { byColumn } from "../../core/figures.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { exactly, wholeRead } from "./exact-column.ts";
import { readWaitingSums } from "./waiting-sums.ts";

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
  const [firstDay, lastDay] = [dayNumber(Date.parse(from)), dayNumber(Date.parse(to))];
  const days = sql`between ${firstDay} and ${lastDay}`;
  return atOneMoment(db, async (tx) => {
    const { rows } = await sql<ReadSums & { websiteKey: string; currency: string; billedViews: number }>`
      select website.key as "websiteKey", line.currency, count(*) filter (where line.kind = 'click') as "billableClicks",
        count(*) filter (where line.kind = 'impression') as "billedViews", ${exactly(tx, sql`-sum(line.micros)`)} as spend,
        ${exactly(tx, sql`sum(line.earned_micros)`)} as earnings
      from ledger_line as line join website on website.id = line.website
      where website.publisher_id = ${publisherId} and line.kind in ('click', 'impression') and line.day ${days}
      group by website.id, line.currency order by website.id, line.currency`.execute(tx);
    const billed = rows.map((row) => ({ ...row, ...exactSums(row) }));
    const counted = await readCounted(tx, { publisherId, firstDay, lastDay });
    const items = billed.map(({ websiteKey, ...sums }) => ({ websiteKey, ...billingOf(sums) }));
    return {
      items,
      totals: totalsOf(items),
      lines: items.reduce((sum, item) => sum + Number(item.billableClicks) + Number(item.billedViews), 0),
      differences: differencesOf(billed, counted),
    };
  });
}

type ReadSums = {
  billableClicks: number;
  spend: number | string;
  earnings: number | string;
};

/** What the counters and what waits for them say, by website and currency, without those in which nothing was billed. */
const readCounted = async (
  db: Kysely<Schema>,
  { publisherId, firstDay, lastDay }: { publisherId: string; firstDay: number; lastDay: number },
): Promise<PlacedSums[]> => {
  const websites = await db
    .selectFrom("website")
    .select(["id", "key"])
    .where("publisher_id", "=", publisherId)
    .orderBy("id")
    .execute();
  const keys = new Map<number, string>(websites.map(({ id, key }) => [id, key]));
  const ofPublisher = sql`website_id in (select id from website where publisher_id = ${publisherId})`;
  const { rows: settled } = await sql<ReadSums & { id: number; currency: string }>`
    select website_id as id, currency, sum(billable_clicks) as "billableClicks",
      ${exactly(db, sql`sum(spend_micros)`)} as spend, ${exactly(db, sql`sum(earned_micros)`)} as earnings
    from counter_day where ${ofPublisher} and test = 0 and day between ${firstDay} and ${lastDay}
    group by website_id, currency`.execute(db);
  const rows = new Map<string, PlacedSums & { id: number }>();
  const add = (id: number, currency: string, { billableClicks, spend, earnings }: Sums): void => {
    const websiteKey = keys.get(id) ?? "";
    const row = rows.get(`${id} ${currency}`);
    rows.set(`${id} ${currency}`, {
      ...{ id, websiteKey, currency },
      billableClicks: sumExactly(row?.billableClicks ?? 0, billableClicks),
      spend: sumExactly(row?.spend ?? 0, spend),
      earnings: sumExactly(row?.earnings ?? 0, earnings),
    });
  };
  for (const row of settled) add(row.id, row.currency, exactSums(row));
  const waiting = await readWaitingSums(db, {
    ...{ firstDay, lastDay, websites, columns: ["website_id", "currency"] },
    isAsked: (cell) => cell.test === 0,
  });
  for (const { place, figures } of waiting) {
    const {
      billable_clicks: billableClicks,
      spend_micros: spend,
      earned_micros: earnings,
    } = byColumn(figures);
    add(place.website_id, place.currency, { billableClicks, spend, earnings });
  }
  return [...rows.values()]
    .filter((row) => compared.some((figure) => row[figure] !== 0))
    .sort((one, other) => one.id - other.id || (one.currency < other.currency ? -1 : 1));
};

const compared = ["billableClicks", "spend", "earnings"] as const;
type Sums = Record<(typeof compared)[number], Whole>;

const exactSums = ({ billableClicks, spend, earnings }: ReadSums): Sums => ({
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

type PlacedSums = Sums & { websiteKey: string; currency: string };

const differencesOf = (
  billed: readonly PlacedSums[],
  counted: readonly PlacedSums[],
): StatementDifference[] => {
  const placeOf = ({ websiteKey, currency }: PlacedSums): string => `${websiteKey} ${currency}`;
  const byPlace = (rows: readonly PlacedSums[]) => new Map(rows.map((row) => [placeOf(row), row]));
  const [inLedger, inCounters] = [byPlace(billed), byPlace(counted)];
  const places = new Map([...inCounters, ...inLedger]);
  const nothing: Sums = { billableClicks: 0, spend: 0, earnings: 0 };
  return [...places].flatMap(([place, { websiteKey, currency }]) => {
    const [ledger, counters] = [inLedger.get(place) ?? nothing, inCounters.get(place) ?? nothing];
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
