import type { AdvertiserPage, AdvertiserRow, LedgerPage } from "@offers/contract/dash/operator";
import { type Kysely, sql } from "kysely";
import { dateOfDay } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";

/** On a page of the ledger. */
const linesOnPage = 50;
/** How many lines of the whole ledger one page looks through: a quiet advertiser's next one may be a million away. */
const linesLookedThrough = 200_000;
const daysShown = 30;

/** Every advertiser, or one, with what it has paid in, spent, and spent on the UTC day of that number; the oldest first. */
export async function readAdvertisers(
  db: Kysely<Schema>,
  day: number,
  id: string | null = null,
): Promise<AdvertiserRow[]> {
  const { rows } = await sql<Omit<AdvertiserRow, "balanceMicros">>`
    select advertiser.id as "advertiserId", advertiser.name, advertiser.deposited_micros as "depositedMicros",
      advertiser.created_at as "createdAt", coalesce(max(ever.spent_micros), 0) as "spentMicros",
      coalesce(min(offer.currency), advertiser.currency) as currency, count(offer.id) as offers,
      count(offer.id) filter (where offer.status = 'active') as "activeOffers",
      coalesce(sum(today.spent_micros), 0) as "spentTodayMicros"
    from advertiser
      left join spend as ever on ever.subject = advertiser.id and ever.day = 0
      left join offer on offer.advertiser_id = advertiser.id
      left join spend as today on today.subject = offer.id and today.day = ${day}
    where ${id === null ? sql`true` : sql`advertiser.id = ${id}`}
    group by advertiser.number order by advertiser.created_at, advertiser.id`.execute(db);
  return rows.map((row) => ({ ...row, balanceMicros: row.depositedMicros - row.spentMicros }));
}

/**
 * What was billed to an advertiser's offers on each of the last thirty UTC days up to the one of that number, the oldest first,
 * from the first day on which anything ever was; none of an advertiser that has spent nothing. PostgreSQL has rows of days on
 * which nothing was billed: it makes one before an event is judged.
 */
export async function readSpendByDay(
  db: Kysely<Schema>,
  id: string,
  today: number,
): Promise<AdvertiserPage["days"]> {
  const billed = sql`offer join spend on spend.subject = offer.id
    where offer.advertiser_id = ${id} and spend.day > 0 and (spend.spent_micros > 0 or spend.billed_clicks > 0)`;
  const { rows: ever } = await sql<{ first: number | null }>`
    select min(spend.day) as first from ${billed}`.execute(db);
  const first = Math.max(ever[0]?.first ?? today + 1, today - daysShown + 1);
  const { rows } = await sql<{ day: number; spentMicros: number; billedClicks: number }>`
    select spend.day, sum(spend.spent_micros) as "spentMicros", sum(spend.billed_clicks) as "billedClicks"
    from ${billed} and spend.day between ${first} and ${today} group by spend.day`.execute(db);
  const sumsOf = new Map(rows.map(({ day, ...sums }) => [day, sums]));
  return Array.from({ length: Math.max(0, today - first + 1) }, (_, index) => {
    const day = first + index;
    return { date: dateOfDay(day), ...(sumsOf.get(day) ?? { spentMicros: 0, billedClicks: 0 }) };
  });
}

/**
 * An advertiser's lines of the ledger before the line of that number (null: from the newest on), the newest first. It
 * looks through so many lines and no more, whosever they are; `before` of the answer goes on where it stopped.
 */
export async function readLedger(
  db: Kysely<Schema>,
  asked: { advertiserId: string; before: number | null; kind: "deposit" | null },
): Promise<LedgerPage> {
  const isAll = asked.kind === null;
  const from = asked.before ?? (isAll ? (await newestLine(db)) + 1 : maxLine);
  const until = isAll ? Math.max(1, from - linesLookedThrough) : 1;
  const advertiser = sql`(select number from advertiser where id = ${asked.advertiserId})`;
  // What is no bill is little, and is found by itself: deposits by an index, adjustments by their notes.
  const isAsked = isAll
    ? sql`line.advertiser = ${advertiser} and line.id < ${from} and line.id >= ${until}`
    : sql`line.id in (
        select id from (
          select id from ledger_line where advertiser = ${advertiser} and kind = 'deposit'
          union select line from ledger_note where advertiser = ${advertiser}) as own
        where id < ${from} order by id desc limit ${linesOnPage + 1})`;
  const { rows } = await sql<LedgerPage["items"][number]>`
    select line.id, line.at, line.kind, line.micros, nullif(line.currency, '') as currency,
      offer.id as "offerId", offer.brand, offer.title, website.key as "websiteKey", note.note
    from ledger_line as line
      left join ledger_note as note on note.advertiser = line.advertiser and note.line = line.id
      left join offer on offer.number = line.offer
      left join website on website.id = line.website
    where ${isAsked}
    order by line.id desc limit ${linesOnPage + 1}`.execute(db);
  const items = rows.slice(0, linesOnPage);
  const last = items.at(-1);
  const before = rows.length > linesOnPage && last !== undefined ? last.id : until > 1 ? until : null;
  return { items, before };
}

const maxLine = Number.MAX_SAFE_INTEGER;

const newestLine = async (db: Kysely<Schema>): Promise<number> => {
  const newest = await db
    .selectFrom("ledger_line")
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.id ?? 0;
};
