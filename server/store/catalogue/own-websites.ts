import { isTypedName } from "@offers/contract/dash/typed-name";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { type ListedWebsite, requireWebsite, websiteSubject } from "./websites.ts";

/** Which website somebody is about, and for whom. */
export type OwnWebsite = { publisherId: string; websiteKey: string };

/**
 * A publisher's website. Throws an UnknownSubject when there is none of this key, or when it is deleted or
 * another publisher's.
 */
export async function requireOwnWebsite(
  db: Kysely<Schema>,
  { publisherId, websiteKey }: OwnWebsite,
): Promise<ListedWebsite> {
  const row = await db
    .selectFrom("website")
    .select("key")
    .where("key", "=", websiteKey)
    .where("publisher_id", "=", publisherId)
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw new UnknownSubject("no such website");
  return requireWebsite(db, row.key);
}

/**
 * Deletes a website at `now` (milliseconds since the epoch): nobody reaches it any more, its key is never given to another
 * one, its secrets are revoked, and what counted on it goes on counting in every sum. Throws an UnknownSubject as
 * `requireOwnWebsite` does, and a CatalogueRefusal when the name is not its own.
 */
export function archiveWebsite(
  catalogue: CatalogueHandle,
  own: OwnWebsite,
  { name, now }: { name: string; now: number },
): Promise<void> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, version } = tx;
    const website = await requireOwnWebsite(db, own);
    if (!isTypedName(name, website.name)) {
      throw new CatalogueRefusal([{ field: "name", message: "is not the name of this website" }]);
    }
    const before = { origins: website.origins, geoRule: website.geoRule };
    await tx.tell({ ...websiteSubject(website), action: "removed", before, after: null });
    const { id } = await db
      .updateTable("website")
      .set({ archived_at: now, changed: version })
      .where("key", "=", website.websiteKey)
      .returning("id")
      .executeTakeFirstOrThrow();
    await db
      .updateTable("integration_secret")
      .set({ revoked_at: now, changed: version })
      .where("website_id", "=", id)
      .where("revoked_at", "is", null)
      .execute();
  });
}
