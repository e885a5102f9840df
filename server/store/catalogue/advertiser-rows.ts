import { type AdvertiserId, advertiserId } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";

export type AdvertiserBalance = {
  advertiserId: AdvertiserId;
  /** In which it pays; null: it was made before advertisers had one, and has no offer yet. */
  currency: string | null;
  /** All deposits and adjustments together, in whole micro-units. */
  depositedMicros: number;
  /** Everything ever billed to its offers. */
  spentMicros: number;
  /** What is left of the deposits. */
  balanceMicros: number;
};

export type ListedAdvertiser = AdvertiserBalance & { name: string; offers: number; createdAt: number };

/** Every advertiser with its balance, oldest first. */
export async function listAdvertisers(db: Kysely<Schema>): Promise<ListedAdvertiser[]> {
  return (await advertiserRows(db).orderBy("created_at").orderBy("id").execute()).map(listed);
}

/** One advertiser's balance; throws a CatalogueRefusal when there is no such advertiser. */
export async function requireAdvertiser(db: Kysely<Schema>, id: string): Promise<AdvertiserBalance> {
  return balanceOf(await requireListed(db, id));
}

/** The same with what a list tells. */
export async function requireListed(db: Kysely<Schema>, id: string): Promise<ListedAdvertiser> {
  const row = await advertiserRows(db).where("id", "=", id).executeTakeFirst();
  if (row) return listed(row);
  throw new CatalogueRefusal([
    { field: "advertiserId", message: `no advertiser has the id ${JSON.stringify(id)}` },
  ]);
}

/** In which each advertiser pays, by its id; null: that is not known yet. */
export async function currenciesOf(db: Kysely<Schema>): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom("advertiser")
    .select(["id", currencyOfAdvertiser.as("currency")])
    .execute();
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/**
 * Each currency in which an advertiser has paid though it pays in another, with that one: its balance takes the one for the other.
 * It comes of an offer that a node of the release before has made (`currencyOfAdvertiser`).
 */
export async function listForeignPayments(
  db: Kysely<Schema>,
): Promise<{ advertiserId: AdvertiserId; paidIn: string; paysIn: string }[]> {
  const rows = await db
    .selectFrom("ledger_line")
    .innerJoin("advertiser", "advertiser.number", "ledger_line.advertiser")
    .where("ledger_line.kind", "in", ["deposit", "adjustment"])
    // Of what was paid in before any currency was known.
    .where("ledger_line.currency", "<>", "")
    .where("ledger_line.currency", "<>", sql<string>`${currencyOfAdvertiser}`)
    .select(["advertiser.id", "ledger_line.currency as paidIn", currencyOfAdvertiser.as("paysIn")])
    .distinct()
    .orderBy("advertiser.id")
    .orderBy("paidIn")
    .execute();
  return rows.map(({ id, paidIn, paysIn }) => ({
    advertiserId: advertiserId.parse(id),
    paidIn,
    paysIn: paysIn ?? "",
  }));
}

/** As the list of changes names it. */
export function advertiserSubject(id: string, name: string) {
  return { publisherId: null, subject: { kind: "advertiser" as const, id, name } };
}

/**
 * In which an advertiser pays: that of its first offer, whatever was said before: while an upgrade rolls, a node of the release before makes offers without
 * looking at what was said.
 */
const currencyOfAdvertiser = sql<string | null>`coalesce((
  select currency from offer where offer.advertiser_id = advertiser.id order by offer.number limit 1), advertiser.currency)`;

const advertiserRows = (db: Kysely<Schema>) =>
  db
    .selectFrom("advertiser")
    .select(["advertiser.id", "advertiser.name", "advertiser.deposited_micros", "advertiser.created_at"])
    .select((eb) => [
      currencyOfAdvertiser.as("currency"),
      eb
        .selectFrom("spend")
        .whereRef("spend.subject", "=", "advertiser.id")
        .where("spend.day", "=", 0)
        .select("spend.spent_micros")
        .as("spent_micros"),
      eb
        .selectFrom("offer")
        .whereRef("offer.advertiser_id", "=", "advertiser.id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("offers"),
    ]);

const listed = (row: {
  id: string;
  name: string;
  currency: string | null;
  deposited_micros: number;
  spent_micros: number | null;
  offers: number | null;
  created_at: number;
}): ListedAdvertiser => ({
  advertiserId: advertiserId.parse(row.id),
  name: row.name,
  currency: row.currency,
  offers: row.offers ?? 0,
  createdAt: row.created_at,
  depositedMicros: row.deposited_micros,
  spentMicros: row.spent_micros ?? 0,
  balanceMicros: row.deposited_micros - (row.spent_micros ?? 0),
});

const balanceOf = ({
  name: _,
  offers: __,
  createdAt: ___,
  ...balance
}: ListedAdvertiser): AdvertiserBalance => balance;
