import { type Kysely, type RawBuilder, sql } from "kysely";
import { type EarnedPrice, partedByShare } from "../../core/billed-shares.ts";
import { sumExactly, type Whole, wholeOf } from "../../core/exact-sum.ts";
import { byColumn } from "../../core/figures.ts";
import type { BilledEvent } from "../../core/price.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { isBillLine } from "./bill-lines.ts";
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

/** What was billed by one share, which is null where the bills do not tell it (core/billed-shares.ts). */
export type ShareBilling = Omit<Billing, "currency"> & { shareBasisPoints: number | null };

/** A figure of a website and a currency that the ledger and the reports' counters do not agree on. */
export type StatementDifference = {
  websiteKey: string;
  currency: string;
  figure: "billableClicks" | "spend" | "earnings";
  ledger: Whole;
  counters: Whole;
};

export type Statement = {
  publisherId: string;
  /**
   * By website, the oldest first, and currency, each also by the shares that it was billed with; without those of which
   * nothing was billed.
   */
  items: (Billing & { publisherId: string; websiteKey: string; shares: ShareBilling[] })[];
  /** The sums of the items of each currency, in the order of the codes. */
  totals: Billing[];
  /** Lines of the ledger that it is made of. */
  lines: number;
  differences: StatementDifference[];
};

/** UTC dates, both included, and whose statement it is; left out: everybody's. */
type Asked = { from: string; to: string; publisherId?: string };

/**
 * What was billed on publishers' websites in some days, as the ledger has it, and where the counters of reports say
 * otherwise: the oldest publisher first, without those of whom neither tells anything. All of it is read at one moment, and the
 * ledger once, whoever's statements they are. Test traffic is billed nowhere, and is in none.
 */
export function readStatements(db: Kysely<Schema>, { from, to, publisherId }: Asked): Promise<Statement[]> {
  const days = { firstDay: dayNumber(Date.parse(from)), lastDay: dayNumber(Date.parse(to)) };
  return atOneMoment(db, async (tx) => {
    const websites = await tx
      .selectFrom("website")
      .innerJoin("publisher", "publisher.id", "website.publisher_id")
      .select(["website.id", "website.key as websiteKey", "publisher.id as publisherId"])
      .$if(publisherId !== undefined, (query) => query.where("publisher.id", "=", String(publisherId)))
      .orderBy("publisher.number")
      .orderBy("website.id")
      .execute();
    const own =
      publisherId === undefined
        ? null
        : { ids: sql`(select id from website where publisher_id = ${publisherId})`, websites };
    const billed = Map.groupBy(await readBilled(tx, { ...days, own }), ({ id }) => id);
    const counted = Map.groupBy(await readCounted(tx, { ...days, own }), ({ id }) => id);
    return [...Map.groupBy(websites, (website) => website.publisherId)]
      .map(([id, those]) => statementOf(id, those, { billed, counted }))
      .filter(({ items, differences }) => items.length > 0 || differences.length > 0);
  });
}

/** One publisher's statement. */
export async function readStatement(
  db: Kysely<Schema>,
  asked: Asked & { publisherId: string },
): Promise<Statement> {
  const [found] = await readStatements(db, asked);
  const { publisherId } = asked;
  return found ?? { publisherId, items: [], totals: [], lines: 0, differences: [] };
}

type Website = { id: number; websiteKey: string; publisherId: string };

/** By the number of the website. */
type Placed = { id: number; currency: string };

type Billed = Omit<Billing, "operatorsPart"> & { shares: ShareBilling[] };

const statementOf = (
  publisherId: string,
  websites: readonly Website[],
  read: {
    billed: ReadonlyMap<number, readonly (Placed & Billed)[]>;
    counted: ReadonlyMap<number, readonly (Placed & Sums)[]>;
  },
): Statement => {
  const items = websites.flatMap(({ id, websiteKey }) =>
    (read.billed.get(id) ?? []).map(({ id: _, ...sums }) => ({
      publisherId,
      websiteKey,
      ...billingOf(sums),
    })),
  );
  return {
    publisherId,
    items,
    totals: billedInAll(items),
    lines: items.reduce((sum, item) => sum + Number(item.billableClicks) + Number(item.billedViews), 0),
    differences: websites.flatMap(({ id, websiteKey }) =>
      differencesOf(websiteKey, read.billed.get(id) ?? [], read.counted.get(id) ?? []),
    ),
  };
};

/** The websites of whoever is asked about, as a condition and as rows; null: all. */
type Read = {
  firstDay: number;
  lastDay: number;
  own: { ids: RawBuilder<unknown>; websites: readonly Website[] } | null;
};

/** Bills of one price, in one currency, that have earned the same each. */
type AlikeBills = Placed & EarnedPrice & { kind: BilledEvent; lines: number };

const readBilled = async (
  db: Kysely<Schema>,
  { firstDay, lastDay, own }: Read,
): Promise<(Placed & Billed)[]> => {
  const { rows } = await sql<AlikeBills>`
    select website as id, currency, kind, -micros as "priceMicros", coalesce(earned_micros, 0) as "earnedMicros",
      count(*) as lines
    from ledger_line
    where ${sql.raw(isBillLine)} and day between ${firstDay} and ${lastDay}
      and ${own === null ? sql`true` : sql`website in ${own.ids}`}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(db);
  const places = Map.groupBy(rows, ({ id, currency }) => `${id} ${currency}`);
  return [...places.values()].map((bills) => {
    const { id, currency } = bills[0] as AlikeBills;
    const shares = partedByShare(bills).map(({ shareBasisPoints, bills: some }) => ({
      shareBasisPoints,
      ...billingOf(sumsOf(some)),
    }));
    return { id, currency, ...sumsOf(bills), shares };
  });
};

const sumsOf = (bills: readonly AlikeBills[]) => {
  const linesOf = (some: AlikeBills["kind"]): number =>
    bills.reduce((sum, { kind, lines }) => sum + (kind === some ? lines : 0), 0);
  const inAll = (of: (bill: AlikeBills) => number): Whole =>
    wholeOf(bills.reduce((sum, bill) => sum + BigInt(of(bill)) * BigInt(bill.lines), 0n));
  return {
    billableClicks: linesOf("click"),
    billedViews: linesOf("impression"),
    spend: inAll(({ priceMicros }) => priceMicros),
    earnings: inAll(({ earnedMicros }) => earnedMicros),
  };
};

type ReadSums = {
  billableClicks: number;
  spend: number | string;
  earnings: number | string;
};

/** What the counters and what waits for them say, by website and currency, without those in which nothing was billed. */
const readCounted = async (
  db: Kysely<Schema>,
  { firstDay, lastDay, own }: Read,
): Promise<(Placed & Sums)[]> => {
  const { rows: settled } = await sql<Placed & ReadSums>`
    select website_id as id, currency, sum(billable_clicks) as "billableClicks",
      ${exactly(db, sql`sum(spend_micros)`)} as spend, ${exactly(db, sql`sum(earned_micros)`)} as earnings
    from counter_day where ${own === null ? sql`true` : sql`website_id in ${own.ids}`}
      and test = 0 and day between ${firstDay} and ${lastDay}
    group by website_id, currency`.execute(db);
  const rows = new Map<string, Placed & Sums>();
  const add = (id: number, currency: string, { billableClicks, spend, earnings }: Sums): void => {
    const row = rows.get(`${id} ${currency}`);
    rows.set(`${id} ${currency}`, {
      ...{ id, currency },
      billableClicks: sumExactly(row?.billableClicks ?? 0, billableClicks),
      spend: sumExactly(row?.spend ?? 0, spend),
      earnings: sumExactly(row?.earnings ?? 0, earnings),
    });
  };
  for (const row of settled) add(row.id, row.currency, exactSums(row));
  const waiting = await readWaitingSums(db, {
    ...{ firstDay, lastDay, columns: ["website_id", "currency"] },
    ...(own !== null && { websites: own.websites }),
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
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
};

const compared = ["billableClicks", "spend", "earnings"] as const;
type Sums = Record<(typeof compared)[number], Whole>;

const exactSums = ({ billableClicks, spend, earnings }: ReadSums): Sums => ({
  billableClicks,
  spend: wholeRead(spend),
  earnings: wholeRead(earnings),
});

const billingOf = <Sum extends { spend: Whole; earnings: Whole }>(
  sums: Sum,
): Sum & { operatorsPart: Whole } => ({
  ...sums,
  operatorsPart: wholeOf(BigInt(sums.spend) - BigInt(sums.earnings)),
});

/** The sums of each currency, in the order of the codes. */
export function billedInAll(items: readonly Billing[]): Billing[] {
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
}

/** Of one website. */
const differencesOf = (
  websiteKey: string,
  billed: readonly (Placed & Sums)[],
  counted: readonly (Placed & Sums)[],
): StatementDifference[] => {
  const byCurrency = (rows: readonly (Placed & Sums)[]) => new Map(rows.map((row) => [row.currency, row]));
  const [inLedger, inCounters] = [byCurrency(billed), byCurrency(counted)];
  const nothing: Sums = { billableClicks: 0, spend: 0, earnings: 0 };
  return [...new Set([...inCounters.keys(), ...inLedger.keys()])].flatMap((currency) => {
    const [ledger, counters] = [inLedger.get(currency) ?? nothing, inCounters.get(currency) ?? nothing];
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
