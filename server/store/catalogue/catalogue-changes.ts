import type { Kysely } from "kysely";
import type { Offer, Website } from "../../core/catalogue.ts";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { atOneMoment } from "../dialects.ts";
import type { Schema } from "../schema.ts";
import { changedApiKeys } from "./api-keys.ts";
import { changedCurrencies } from "./currency-rates.ts";
import { changedSecrets } from "./integration-secrets.ts";
import { offerOf } from "./offer-rows.ts";
import { websiteOf, websiteRows } from "./website-rows.ts";

/** Long enough to cost little each, and short enough to pass through memory unnoticed. */
const rowsInPart = 1000;

/**
 * Reads what is new or has changed after the version `seen` (0: everything, in parts that begin anew), all of it at one
 * moment: nothing of a change that is only half there. Hands it over part by part, so that a whole catalogue is never
 * held twice, and resolves with the version that it is. Rows come in the order of their numbers.
 */
export function readCatalogueChanges(
  db: Kysely<Schema>,
  seen: number,
  take: (part: CatalogueChanges) => void,
): Promise<number> {
  return atOneMoment(db, async (tx) => {
    const { version } = await tx
      .selectFrom("catalogue_version")
      .select("version")
      .where("id", "=", 1)
      .executeTakeFirstOrThrow();
    if (version === seen) return version;
    const nothing: CatalogueChanges = { version, websites: [], offers: [], apiKeys: [], secrets: [] };
    const [apiKeys, secrets] = [await changedApiKeys(tx, seen), await changedSecrets(tx, seen)];
    const currencies = await changedCurrencies(tx, seen);
    take({ ...nothing, beginsAnew: seen === 0, apiKeys, secrets, ...(currencies && { currencies }) });
    // The numbers first: which rows have changed is found by one index, and in which order they come by another.
    const offers = await tx.selectFrom("offer").select("number").where("changed", ">", seen).execute();
    for (const numbers of inParts(offers.map(({ number }) => number))) {
      take({ ...nothing, offers: await readOffers(tx, numbers) });
    }
    const websites = await tx.selectFrom("website").select("id").where("changed", ">", seen).execute();
    for (const ids of inParts(websites.map(({ id }) => id))) {
      take({ ...nothing, websites: await readWebsites(tx, ids) });
    }
    return version;
  });
}

const readOffers = async (db: Kysely<Schema>, numbers: readonly number[]): Promise<Offer[]> => {
  const rows = await db
    .selectFrom("offer")
    .selectAll()
    .where("number", "in", numbers)
    .orderBy("number")
    .execute();
  return rows.map(offerOf);
};

const readWebsites = async (db: Kysely<Schema>, ids: readonly number[]): Promise<Website[]> => {
  const rows = await websiteRows(db).where("website.id", "in", ids).orderBy("website.id").execute();
  // Most websites of a publisher have the same rules and settings. Objects that are shared stay so on their way to
  // another thread, and tens of thousands of websites then take a fraction of the memory.
  const parsed = new Map<string, unknown>();
  const parse = (text: string): unknown => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const value: unknown = JSON.parse(text);
    parsed.set(text, value);
    return value;
  };
  return rows.map((row) => websiteOf(row, parse));
};

const inParts = (numbers: readonly number[]): number[][] => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const parts: number[][] = [];
  for (let at = 0; at < sorted.length; at += rowsInPart) parts.push(sorted.slice(at, at + rowsInPart));
  return parts;
};
