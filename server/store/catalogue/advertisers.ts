import { advertiserInput, type NewAdvertiser } from "@offers/contract/catalogue";
import { type AdvertiserId, advertiserId } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import {
  type AdvertiserBalance,
  advertiserSubject,
  requireAdvertiser,
  requireListed,
} from "./advertiser-rows.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, parseInput } from "./catalogue-refusal.ts";
import { addLine } from "./payments.ts";

/**
 * Saves an advertiser at `now` (milliseconds since the epoch) together with its first deposit, which is a
 * line in the ledger unless it is 0; without `id` it is random.
 */
export async function createAdvertiser(
  catalogue: CatalogueHandle,
  input: NewAdvertiser,
  made: { now: number; id?: AdvertiserId },
): Promise<AdvertiserId> {
  const { name, currency, balanceMicros } = parseInput(advertiserInput, input);
  return changeCatalogue(catalogue, async (tx) => {
    const id = made.id ?? advertiserId.parse(randomId("advertiser"));
    await tx.db
      .insertInto("advertiser")
      .values({ id, name, currency, deposited_micros: 0, created_at: made.now })
      .execute();
    if (balanceMicros > 0) {
      await addLine(tx, id, { kind: "deposit", micros: balanceMicros, note: "", now: made.now });
    }
    const after = { name, currency, depositedMicros: balanceMicros };
    await tx.tell({ ...advertiserSubject(id, name), action: "created", before: null, after });
    return id;
  });
}

/**
 * Says in which currency an advertiser pays, as long as nothing depends on another: it has no offer and, unless none was ever
 * said, no money has moved. Throws a CatalogueRefusal otherwise.
 */
export async function setAdvertiserCurrency(
  catalogue: CatalogueHandle,
  id: string,
  currency: string,
): Promise<AdvertiserBalance> {
  const after = parseInput(advertiserInput.pick({ currency: true }), { currency });
  return changeCatalogue(catalogue, async (tx) => {
    const { currency: own, name, offers } = await requireListed(tx.db, id);
    const fixedBy =
      offers > 0 ? "its offers are in it" : (await hasMoved(tx.db, id)) ? "it has paid in it" : null;
    if (own !== null && own !== after.currency && fixedBy !== null) {
      throw new CatalogueRefusal([{ field: "currency", message: `must stay ${own}: ${fixedBy}` }]);
    }
    const told = {
      ...advertiserSubject(id, name),
      action: "updated" as const,
      before: { currency: own },
      after,
    };
    if (await tx.tell(told)) await tx.db.updateTable("advertiser").set(after).where("id", "=", id).execute();
    return requireAdvertiser(tx.db, id);
  });
}

/**
 * An advertiser's balance is one number, so all that is taken from it has one currency: throws a CatalogueRefusal for an offer
 * in another, and for an unknown advertiser.
 */
export async function requireCurrency(db: Kysely<Schema>, id: string, currency: string): Promise<void> {
  const { currency: own } = await requireAdvertiser(db, id);
  const message = otherCurrency(own, currency);
  if (message !== null) throw new CatalogueRefusal([{ field: "currency", message }]);
}

/** What is wrong with an offer in this currency of an advertiser that pays in `own`; null: nothing. */
export function otherCurrency(own: string | null, currency: string): string | null {
  return own === null || own === currency
    ? null
    : `must be ${own}, in which its advertiser pays: all its offers share one balance`;
}

/** Notes in which currency an advertiser pays, where that was not known. */
export async function noteCurrency(db: Kysely<Schema>, id: string, currency: string): Promise<void> {
  await db
    .updateTable("advertiser")
    .set({ currency })
    .where("id", "=", id)
    .where("currency", "is", null)
    .execute();
}

/** Whether anything was ever paid in or put right; nothing is billed before that. */
const hasMoved = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from advertiser where id = ${id} and (
      exists (select 1 from ledger_line as line where line.advertiser = advertiser.number and line.kind = 'deposit')
      or exists (select 1 from ledger_note where ledger_note.advertiser = advertiser.number))`.execute(db);
  return rows.length > 0;
};
