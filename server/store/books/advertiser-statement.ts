import { type Kysely, sql } from "kysely";
import { sumExactly, type Whole, wholeOf } from "../../core/exact-sum.ts";
import { billedEvents } from "../../core/price.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { readAdvertisers } from "./advertiser-account.ts";
import { isBillLine } from "./bill-lines.ts";
import { exactly, wholeRead } from "./exact-column.ts";

/** A line of the ledger that is no bill: what was paid in, or back. */
export type Payment = {
  line: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** As the ledger has it: `deposit`. */
  kind: string;
  /** In micro-units; below 0: it was paid back. */
  amount: Whole;
  /** Null: it came before the advertiser had one. */
  currency: string | null;
  /** What it was for, such as the number of an invoice; null: nobody said. */
  note: string | null;
};

/** What was billed of one offer, in micro-units of its currency. */
export type OfferBilling = {
  offerId: string;
  brand: string;
  title: string;
  currency: string;
  billableClicks: number;
  billedViews: number;
  spend: Whole;
};

/** A figure on which the ledger and what is kept beside it do not agree. */
export type AccountDifference = {
  /** Null: of the advertiser. */
  offerId: string | null;
  figure: "closing" | "billableClicks" | "spend";
  ledger: Whole;
  /** By the balance that the advertiser has, or by what is noted as spent of the offer's days. */
  recorded: Whole;
};

/** An advertiser's account of some days. Amounts are micro-units of the one currency that its offers have. */
export type AdvertiserStatement = {
  name: string;
  /** Null: neither an offer nor anybody has said. */
  currency: string | null;
  /** What was left before the first of the days. */
  opening: Whole;
  /** In the order of the ledger. */
  payments: Payment[];
  /** By offer, the oldest first; without those of which nothing was billed. */
  items: OfferBilling[];
  /** The sums of the payments and of the items. */
  totals: { paidIn: Whole; billableClicks: number; billedViews: number; spend: Whole };
  /** What was left after the last of them, by the advertiser's balance: the lines up to then have to come to it. */
  closing: Whole;
  /** Lines of the ledger in those days. */
  lines: number;
  differences: AccountDifference[];
};

/**
 * What an advertiser paid in and was billed from one UTC date to another, both included, as the ledger has it, and where the
 * balance, or what is noted as spent of each offer and day, says otherwise. All of it is read at one moment. Null: there is no
 * such advertiser.
 */
export function readAdvertiserStatement(
  db: Kysely<Schema>,
  { advertiserId, from, to }: { advertiserId: string; from: string; to: string },
): Promise<AdvertiserStatement | null> {
  const [firstDay, lastDay] = [dayNumber(Date.parse(from)), dayNumber(Date.parse(to))];
  return atOneMoment(db, async (tx) => {
    const [account] = await readAdvertisers(tx, lastDay, advertiserId);
    if (account === undefined) return null;
    const own = sql`line.advertiser = (select number from advertiser where id = ${advertiserId})`;
    const sums = await readSums(tx, { own, firstDay, lastDay });
    const { rows: payments } = await sql<Omit<Payment, "amount"> & { micros: number }>`
      select line.id as line, line.at, line.kind, nullif(line.currency, '') as currency, line.micros, note.note
      from ledger_line as line
        left join ledger_note as note on note.advertiser = line.advertiser and note.line = line.id
      where ${own} and not ${sql.raw(isBillLine)} and line.day between ${firstDay} and ${lastDay}
      order by line.id`.execute(tx);
    const total = (some: readonly Sums[]): Whole =>
      some.reduce<Whole>((sum, one) => sumExactly(sum, one.micros), 0);
    const within = sums.filter(({ span }) => span === "within");
    const items = billingsOf(within);
    const opening = total(sums.filter(({ span }) => span === "before"));
    const ofAfter = total(sums.filter(({ span }) => span === "after"));
    const closing = wholeOf(BigInt(account.balanceMicros) - BigInt(ofAfter));
    const noted = await readNoted(tx, { advertiserId, firstDay, lastDay });
    const byLedger = sumExactly(opening, total(within));
    return {
      ...{ name: account.name, currency: account.currency, opening },
      payments: payments.map(({ micros, ...payment }) => ({ ...payment, amount: micros })),
      items,
      totals: {
        paidIn: total(within.filter((sums) => !isBill(sums))),
        billableClicks: items.reduce((sum, item) => sum + item.billableClicks, 0),
        billedViews: items.reduce((sum, item) => sum + item.billedViews, 0),
        spend: items.reduce<Whole>((sum, item) => sumExactly(sum, item.spend), 0),
      },
      closing,
      lines: within.reduce((sum, { lines }) => sum + lines, 0),
      differences: [
        ...(byLedger === closing
          ? []
          : [{ offerId: null, figure: "closing" as const, ledger: byLedger, recorded: closing }]),
        ...differencesOf(items, noted),
      ],
    };
  });
}

const isBill = ({ kind }: Sums): boolean => billedEvents.some((event) => event === kind);

/** Lines of one kind, before, within or after the days, of one offer in one currency. */
type Sums = Pick<OfferBilling, "brand" | "title" | "currency"> & {
  span: "before" | "within" | "after";
  kind: string;
  /** Null: of a payment. */
  offerId: string | null;
  lines: number;
  micros: Whole;
};

const readSums = async (
  db: Kysely<Schema>,
  { own, firstDay, lastDay }: { own: ReturnType<typeof sql>; firstDay: number; lastDay: number },
): Promise<Sums[]> => {
  const { rows } = await sql<Omit<Sums, "micros"> & { micros: number | string }>`
    select sums.*, offer.id as "offerId", coalesce(offer.brand, '') as brand, coalesce(offer.title, '') as title
    from (
      select case when line.day < ${firstDay} then 'before' when line.day > ${lastDay} then 'after'
          else 'within' end as span, line.kind, line.offer, line.currency,
        count(*) as lines, ${exactly(db, sql`sum(line.micros)`)} as micros
      from ledger_line as line where ${own} group by 1, 2, 3, 4
    ) as sums left join offer on offer.number = sums.offer
    order by sums.offer, sums.currency, sums.kind`.execute(db);
  return rows.map((row) => ({ ...row, micros: wholeRead(row.micros) }));
};

const billingsOf = (within: readonly Sums[]): OfferBilling[] => {
  const bills = within.filter(isBill);
  return [...Map.groupBy(bills, ({ offerId, currency }) => `${offerId} ${currency}`).values()].map((some) => {
    const { offerId, brand, title, currency } = some[0] as Sums;
    const linesOf = (kind: string): number => some.find((one) => one.kind === kind)?.lines ?? 0;
    return {
      ...{ offerId: offerId ?? "", brand, title, currency },
      billableClicks: linesOf("click"),
      billedViews: linesOf("impression"),
      spend: some.reduce<Whole>((sum, { micros }) => wholeOf(BigInt(sum) - BigInt(micros)), 0),
    };
  });
};

/** What budgets and caps are kept by: the spend and the billed clicks of each offer's days. */
type Noted = { offerId: string; spend: Whole; billableClicks: number };

const readNoted = async (
  db: Kysely<Schema>,
  asked: { advertiserId: string; firstDay: number; lastDay: number },
): Promise<Noted[]> => {
  const { rows } = await sql<Omit<Noted, "spend"> & { spend: number | string }>`
    select offer.id as "offerId", ${exactly(db, sql`sum(spend.spent_micros)`)} as spend,
      sum(spend.billed_clicks) as "billableClicks"
    from offer join spend on spend.subject = offer.id
    where offer.advertiser_id = ${asked.advertiserId} and spend.day between ${asked.firstDay} and ${asked.lastDay}
    group by offer.number, offer.id order by offer.number`.execute(db);
  return rows.map((row) => ({ ...row, spend: wholeRead(row.spend) }));
};

const differencesOf = (items: readonly OfferBilling[], noted: readonly Noted[]): AccountDifference[] => {
  const nothing = { spend: 0, billableClicks: 0 };
  const inLedger = new Map(items.map((item) => [item.offerId, item]));
  const besideIt = new Map(noted.map((one) => [one.offerId, one]));
  return [...new Set([...inLedger.keys(), ...besideIt.keys()])].flatMap((offerId) => {
    const [ledger, recorded] = [inLedger.get(offerId) ?? nothing, besideIt.get(offerId) ?? nothing];
    return (["billableClicks", "spend"] as const)
      .filter((figure) => ledger[figure] !== recorded[figure])
      .map((figure) => ({ offerId, figure, ledger: ledger[figure], recorded: recorded[figure] }));
  });
};
