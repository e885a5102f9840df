import { advertiserInput, type NewAdvertiser } from "@offers/contract/catalogue";
import { type AdvertiserId, advertiserId } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import { decimalAmount } from "../../core/decimal-amount.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { lockSpend } from "../dialects.ts";
import type { LedgerLineTable, Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, parseInput } from "./catalogue-refusal.ts";

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
    await tx.tell({ ...subjectOf(id, name), action: "created", before: null, after });
    return id;
  });
}

/** What is paid in, or put right. */
export type Payment = {
  /** Whole. */
  micros: number;
  /** What was written to it, on one line. */
  note?: string | undefined;
  /** In which it is meant: refused where the advertiser pays in another. */
  currency?: string | undefined;
  /** What deposits and adjustments came to when it was meant: whoever got no answer and sends it again does not do it twice. */
  ifDeposited?: number | undefined;
};

/**
 * Adds at least one micro-unit to what an advertiser has paid in, at `now` (milliseconds since the epoch), with its line in the
 * ledger. Throws a CatalogueRefusal for an unknown advertiser, for what is meant otherwise, and for a sum beyond what a whole
 * number can hold exactly.
 */
export function depositToAdvertiser(
  catalogue: CatalogueHandle,
  id: string,
  payment: Payment,
  { now }: { now: number },
): Promise<AdvertiserBalance> {
  const { micros, note = "" } = payment;
  return changeCatalogue(catalogue, async (tx) => {
    const before = await requireAdvertiser(tx.db, id);
    requireMeant(before, payment, "paid in");
    refuseMicros(micros < 1 || !Number.isSafeInteger(micros) ? "must be at least 1" : null);
    return pay(tx, id, { kind: "deposit", micros, note, now });
  });
}

/**
 * Puts right what an advertiser has paid in, with a line of its own in the ledger: adds to it or, with less than 0, takes away.
 * Never takes away what is spent (decisions.md#adjusted-behind-bills). Throws a CatalogueRefusal for that, and for whatever a
 * deposit is refused for.
 */
export function adjustAdvertiser(
  catalogue: CatalogueHandle,
  id: string,
  payment: Payment & { note: string },
  { now }: { now: number },
): Promise<AdvertiserBalance> {
  const { micros, note } = payment;
  return changeCatalogue(catalogue, async (tx) => {
    await requireAdvertiser(tx.db, id);
    // What is spent is read behind this, or nobody would pay for a click that is billed meanwhile.
    if (micros < 0) await lockSpend(tx.db, [id]);
    const before = await requireAdvertiser(tx.db, id);
    requireMeant(before, payment, "adjusted");
    refuseMicros(micros === 0 || !Number.isSafeInteger(micros) ? "must not be 0" : null);
    refuseMicros(before.balanceMicros + micros < 0 ? mostThatIsLeft(before) : null);
    return pay(tx, id, { kind: "adjustment", micros, note, now });
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
    const told = { ...subjectOf(id, name), action: "updated" as const, before: { currency: own }, after };
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

/** In which each advertiser pays, by its id; null: that is not known yet. */
export async function currenciesOf(db: Kysely<Schema>): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom("advertiser")
    .select(["id", currencyOfAdvertiser.as("currency")])
    .execute();
  return new Map(rows.map(({ id, currency }) => [id, currency]));
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

/** Every advertiser with its balance, oldest first. */
export async function listAdvertisers(db: Kysely<Schema>): Promise<ListedAdvertiser[]> {
  return (await advertiserRows(db).orderBy("created_at").orderBy("id").execute()).map(listed);
}

/** One advertiser's balance; throws a CatalogueRefusal when there is no such advertiser. */
export async function requireAdvertiser(db: Kysely<Schema>, id: string): Promise<AdvertiserBalance> {
  return balanceOf(await requireListed(db, id));
}

const requireListed = async (db: Kysely<Schema>, id: string): Promise<ListedAdvertiser> => {
  const row = await advertiserRows(db).where("id", "=", id).executeTakeFirst();
  if (row) return listed(row);
  throw new CatalogueRefusal([
    { field: "advertiserId", message: `no advertiser has the id ${JSON.stringify(id)}` },
  ]);
};

const subjectOf = (id: string, name: string) => ({
  publisherId: null,
  subject: { kind: "advertiser" as const, id, name },
});

/** In which an advertiser pays. A program of the release before may have made its first offer, beside this one. */
/**
 * That of its first offer, whatever was said before: while an upgrade rolls, a node of the release before makes offers without
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

const refuseMicros = (message: string | null): void => {
  if (message !== null) throw new CatalogueRefusal([{ field: "micros", message }]);
};

const requireMeant = (
  { depositedMicros, currency }: AdvertiserBalance,
  meant: Payment,
  done: string,
): void => {
  if (meant.currency !== undefined && currency !== null && meant.currency !== currency) {
    const message = `must be ${currency}, in which the advertiser pays`;
    throw new CatalogueRefusal([{ field: "currency", message }]);
  }
  if (meant.ifDeposited === undefined || meant.ifDeposited === depositedMicros) return;
  const message = `was not ${done}: there is another deposit or adjustment by now, so look at the ledger first`;
  throw new CatalogueRefusal([{ field: "amount", message }]);
};

const mostThatIsLeft = ({ balanceMicros, currency }: AdvertiserBalance): string => {
  if (balanceMicros <= 0) return "must not take anything away: nothing is left";
  const most = `${decimalAmount(balanceMicros)} ${currency ?? ""}`.trim();
  return `must not take away more than ${most} (${balanceMicros} micro-units): no more is left`;
};

/** Whether anything was ever paid in or put right; nothing is billed before that. */
const hasMoved = async (db: Kysely<Schema>, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from advertiser where id = ${id} and (
      exists (select 1 from ledger_line as line where line.advertiser = advertiser.number and line.kind = 'deposit')
      or exists (select 1 from ledger_note where ledger_note.advertiser = advertiser.number))`.execute(db);
  return rows.length > 0;
};

type OwnLine = {
  kind: Exclude<LedgerLineTable["kind"], "click" | "impression">;
  micros: number;
  note: string;
  now: number;
};

const actions = { deposit: "deposited", adjustment: "adjusted" } as const;

/** Adds the line and tells it, unless the sum is beyond what a whole number can hold exactly. */
const pay = async (tx: CatalogueChange, id: string, line: OwnLine): Promise<AdvertiserBalance> => {
  const { depositedMicros, name } = await requireListed(tx.db, id);
  refuseMicros(
    depositedMicros + line.micros > Number.MAX_SAFE_INTEGER
      ? "must not take all deposits and adjustments together above 9007199254.740991, beyond which their sum is inexact"
      : null,
  );
  await addLine(tx, id, line);
  const after = await requireAdvertiser(tx.db, id);
  await tx.tell({
    ...subjectOf(id, name),
    action: actions[line.kind],
    before: { depositedMicros },
    after: {
      depositedMicros: after.depositedMicros,
      micros: line.micros,
      ...(line.note !== "" && { note: line.note }),
    },
  });
  return after;
};

/** The balance and its line in the ledger move together, or the audit finds a difference. */
const addLine = async (
  { db }: CatalogueChange,
  id: string,
  { kind, micros, note, now }: OwnLine,
): Promise<void> => {
  const { number } = await db
    .updateTable("advertiser")
    .set((eb) => ({ deposited_micros: eb("deposited_micros", "+", micros) }))
    .where("id", "=", id)
    .returning("number")
    .executeTakeFirstOrThrow();
  const { currency } = await requireAdvertiser(db, id);
  const { id: line } = await db
    .insertInto("ledger_line")
    .values({
      at: now,
      day: dayNumber(now),
      kind,
      advertiser: number,
      offer: null,
      request: null,
      micros,
      currency: currency ?? "",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  // That of an adjustment is also what it is found by.
  if (note === "" && kind === "deposit") return;
  await db.insertInto("ledger_note").values({ advertiser: number, line, note }).execute();
};
