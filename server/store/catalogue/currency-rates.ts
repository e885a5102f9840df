import type { Kysely } from "kysely";
import type { CurrencyRates } from "../../core/catalogue.ts";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";

/** A currency that has a rate, or in which some offer is priced. */
export type ListedCurrency = {
  currency: string;
  /** What one unit is worth in the currency of the comparison; null: the operator has not said. */
  rate: number | null;
  /** How many offers are priced in it. */
  offers: number;
};

/** Says what one unit of a currency is worth (above 0), in place of what was said before; null takes it back. */
export function setCurrencyRate(
  catalogue: CatalogueHandle,
  currency: string,
  rate: number | null,
): Promise<ListedCurrency> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, version } = tx;
    const known = await db
      .selectFrom("currency_rate")
      .select("rate")
      .where("currency", "=", currency)
      .where("rate", "is not", null)
      .executeTakeFirst();
    if (rate === null && known === undefined) {
      throw new CatalogueRefusal([{ field: "currency", message: `${currency} has no rate` }]);
    }
    const isChanged = await tx.tell({
      publisherId: null,
      subject: { kind: "currency", id: currency, name: currency },
      action: "updated",
      before: { rate: known?.rate ?? null },
      after: { rate },
    });
    if (isChanged) {
      await db
        .insertInto("currency_rate")
        .values({ currency, rate, changed: version })
        .onConflict((on) => on.column("currency").doUpdateSet({ rate, changed: version }))
        .execute();
    }
    const listed = await listCurrencies(db);
    return listed.find((one) => one.currency === currency) ?? { currency, rate, offers: 0 };
  });
}

/** Every currency that has a rate or an offer, in the order of their codes. */
export async function listCurrencies(db: Kysely<Schema>): Promise<ListedCurrency[]> {
  const rates = await readRates(db);
  const priced = await db
    .selectFrom("offer")
    .select(["currency", ({ fn }) => fn.countAll<number>().as("offers")])
    .groupBy("currency")
    .execute();
  const offersIn = new Map(priced.map(({ currency, offers }) => [currency, offers]));
  const currencies = [...new Set([...rates.keys(), ...offersIn.keys()])].sort();
  return currencies.map((currency) => ({
    currency,
    rate: rates.get(currency) ?? null,
    offers: offersIn.get(currency) ?? 0,
  }));
}

/** All rates, when one of them has changed after the version `seen`; else null. */
export async function changedCurrencies(db: Kysely<Schema>, seen: number): Promise<CurrencyRates | null> {
  const changed = await db
    .selectFrom("currency_rate")
    .select("currency")
    .where("changed", ">", seen)
    .executeTakeFirst();
  return changed === undefined ? null : readRates(db);
}

const readRates = async (db: Kysely<Schema>): Promise<CurrencyRates> => {
  const rows = await db.selectFrom("currency_rate").select(["currency", "rate"]).execute();
  return new Map(rows.flatMap(({ currency, rate }) => (rate === null ? [] : [[currency, rate] as const])));
};
