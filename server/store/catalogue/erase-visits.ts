import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { Erased, OpenCatalogue } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { websiteSubject } from "./websites.ts";

/** Whose visits: of one request, by its key, or all that a website has stored until now. */
export type Erasure = { request: string } | { websiteKey: string };

/**
 * Erases what is stored of visits and tells how many rows went. That it is done is noted first, since it takes many
 * transactions and may be interrupted; how much it was, at the end. Which request it was is noted nowhere
 * (decisions.md#erasing). Throws a CatalogueRefusal for an unknown website.
 */
export async function eraseVisits(catalogue: OpenCatalogue, erasure: Erasure): Promise<Erased> {
  const website = await websiteOf(catalogue.db, erasure);
  const of = "request" in erasure ? "request" : "website";
  const noted = await changeCatalogue(catalogue, async (tx) => {
    const about = { ...websiteSubject(website), publisherId: website.publisherId || null };
    await tx.tell({ ...about, action: "visits_erased", before: null, after: { of } });
    return tx.version;
  });
  const erased =
    "request" in erasure
      ? await catalogue.erase.request(erasure.request)
      : await catalogue.erase.website(website.id);
  await catalogue.transact(async (db) => {
    const ofThis = db.selectFrom("activity").select("id").where("version", "=", noted);
    if (Object.values(erased).some((rows) => rows > 0)) {
      const after_json = JSON.stringify({ of, ...erased });
      await db.updateTable("activity").set({ after_json }).where("id", "in", ofThis).execute();
    } else {
      await db.deleteFrom("activity").where("id", "in", ofThis).execute();
    }
  });
  return erased;
}

type Owner = { id: number; websiteKey: string; publisherId: string; name: string };

/** What is stored of a request says which website's it is. Of one that left nothing, nobody knows. */
const nobodys: Owner = { id: 0, websiteKey: "", publisherId: "", name: "" };

const websiteOf = async (db: Kysely<Schema>, erasure: Erasure): Promise<Owner> => {
  const websites = db.selectFrom("website").select(["id", "key as websiteKey", "publisher_id", "name"]);
  const id = "request" in erasure ? await websiteIdOf(db, erasure.request) : null;
  const row = await ("request" in erasure
    ? websites.where("id", "=", id ?? 0)
    : websites.where("key", "=", erasure.websiteKey)
  ).executeTakeFirst();
  if (row) return { ...row, publisherId: row.publisher_id };
  if ("request" in erasure) return nobodys;
  const message = `no website has the key ${JSON.stringify(erasure.websiteKey)}`;
  throw new CatalogueRefusal([{ field: "websiteKey", message }]);
};

const websiteIdOf = async (db: Kysely<Schema>, key: string): Promise<number | null> => {
  const request = Buffer.from(key, "base64url");
  const fact = await db
    .selectFrom("fact")
    .innerJoin("cell", "cell.id", "fact.cell")
    .select("cell.website_id")
    .where("request", "=", request)
    .executeTakeFirst();
  if (fact) return fact.website_id;
  const session = await db
    .selectFrom("decline_session")
    .select("website_id")
    .where("request", "=", request)
    .executeTakeFirst();
  return session?.website_id ?? null;
};
