import { decimalAmount } from "../../core/decimal-amount.ts";
import type { BilledEvent } from "../../core/price.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { lockSpend } from "../dialects.ts";
import type { LedgerLineTable } from "../schema.ts";
import {
  type AdvertiserBalance,
  advertiserSubject,
  requireAdvertiser,
  requireListed,
} from "./advertiser-rows.ts";
import { type CatalogueChange, changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";

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

type OwnLine = {
  kind: Exclude<LedgerLineTable["kind"], BilledEvent>;
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
    ...advertiserSubject(id, name),
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
export async function addLine(
  { db }: CatalogueChange,
  id: string,
  { kind, micros, note, now }: OwnLine,
): Promise<void> {
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
}

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

const refuseMicros = (message: string | null): void => {
  if (message !== null) throw new CatalogueRefusal([{ field: "micros", message }]);
};
