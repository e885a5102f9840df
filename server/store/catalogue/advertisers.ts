import type { AdvertiserInput } from "@offers/contract/catalogue";
import { type AdvertiserId, advertiserId } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import { dayNumber } from "../../core/utc-day.ts";
import type { Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";

export type AdvertiserBalance = {
  advertiserId: AdvertiserId;
  /** Everything ever paid in, in whole micro-units. */
  depositedMicros: number;
  /** Everything ever billed to its offers. */
  spentMicros: number;
  /** What is left of the deposits. */
  balanceMicros: number;
};

export type ListedAdvertiser = AdvertiserBalance & { name: string; offers: number; createdAt: number };

/**
 * Saves an advertiser at `now` (milliseconds since the epoch) together with its first deposit, which is a
 * line in the ledger unless it is 0; without `id` it is random.
 */
export function createAdvertiser(
  catalogue: CatalogueHandle,
  input: AdvertiserInput,
  made: { now: number; id?: AdvertiserId },
): Promise<AdvertiserId> {
  return changeCatalogue(catalogue, async (tx) => {
    const id = made.id ?? advertiserId.parse(randomId("advertiser"));
    await tx.db
      .insertInto("advertiser")
      .values({ id, name: input.name, deposited_micros: 0, created_at: made.now })
      .execute();
    if (input.balanceMicros > 0) await payIn(tx, id, input.balanceMicros, made.now);
    const after = { name: input.name, depositedMicros: input.balanceMicros };
    await tx.tell({ ...subjectOf(id, input.name), action: "created", before: null, after });
    return id;
  });
}

/**
 * Adds `micros` (whole, at least 1) to what an advertiser has paid in, with its line in the ledger. With `ifDeposited` it is
 * added to that sum alone: whoever got no answer and sends it again does not pay in twice.
 * Throws a CatalogueRefusal for an unknown advertiser or a sum beyond what a whole number can hold exactly.
 */
export function depositToAdvertiser(
  catalogue: CatalogueHandle,
  id: string,
  micros: number,
  { now, ifDeposited }: { now: number; ifDeposited?: number | undefined },
): Promise<AdvertiserBalance> {
  return changeCatalogue(catalogue, async (tx) => {
    const { depositedMicros } = await requireAdvertiser(tx.db, id);
    if (ifDeposited !== undefined && ifDeposited !== depositedMicros) {
      const message = "was not paid in: there is another deposit by now, so look at the ledger first";
      throw new CatalogueRefusal([{ field: "amount", message }]);
    }
    const { name } = await tx.db
      .selectFrom("advertiser")
      .select("name")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const problem =
      micros < 1 || !Number.isSafeInteger(micros)
        ? "must be at least 1"
        : depositedMicros + micros > Number.MAX_SAFE_INTEGER
          ? "must not take the sum of all deposits above 9007199254.740991, beyond which it is inexact"
          : null;
    if (problem) throw new CatalogueRefusal([{ field: "micros", message: problem }]);
    await payIn(tx, id, micros, now);
    const after = await requireAdvertiser(tx.db, id);
    await tx.tell({
      ...subjectOf(id, name),
      action: "deposited",
      before: { depositedMicros },
      after: { depositedMicros: after.depositedMicros },
    });
    return after;
  });
}

/** Every advertiser with its balance, oldest first. */
export async function listAdvertisers(db: Kysely<Schema>): Promise<ListedAdvertiser[]> {
  return (await advertiserRows(db).orderBy("created_at").orderBy("id").execute()).map((row) => ({
    ...balanceOf(row),
    name: row.name,
    offers: row.offers ?? 0,
    createdAt: row.created_at,
  }));
}

/** One advertiser's balance; throws a CatalogueRefusal when there is no such advertiser. */
export async function requireAdvertiser(db: Kysely<Schema>, id: string): Promise<AdvertiserBalance> {
  const row = await advertiserRows(db).where("id", "=", id).executeTakeFirst();
  if (row) return balanceOf(row);
  throw new CatalogueRefusal([
    { field: "advertiserId", message: `no advertiser has the id ${JSON.stringify(id)}` },
  ]);
}

const subjectOf = (id: string, name: string) => ({
  publisherId: null,
  subject: { kind: "advertiser" as const, id, name },
});

const advertiserRows = (db: Kysely<Schema>) =>
  db
    .selectFrom("advertiser")
    .selectAll("advertiser")
    .select((eb) => [
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

const balanceOf = (row: {
  id: string;
  deposited_micros: number;
  spent_micros: number | null;
}): AdvertiserBalance => ({
  advertiserId: advertiserId.parse(row.id),
  depositedMicros: row.deposited_micros,
  spentMicros: row.spent_micros ?? 0,
  balanceMicros: row.deposited_micros - (row.spent_micros ?? 0),
});

/** The balance and its line in the ledger move together, or the audit finds a difference. */
const payIn = async ({ db }: CatalogueChange, id: string, micros: number, now: number): Promise<void> => {
  const { number } = await db
    .updateTable("advertiser")
    .set((eb) => ({ deposited_micros: eb("deposited_micros", "+", micros) }))
    .where("id", "=", id)
    .returning("number")
    .executeTakeFirstOrThrow();
  // All offers of an advertiser have one currency; before the first of them none is known.
  const offer = await db
    .selectFrom("offer")
    .select("currency")
    .where("advertiser_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto("ledger_line")
    .values({
      at: now,
      day: dayNumber(now),
      kind: "deposit",
      advertiser: number,
      offer: null,
      request: null,
      micros,
      currency: offer?.currency ?? "",
    })
    .execute();
};
