import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";

/** What the seeding of the catalogue writes last: a later version of the catalogue is somebody's change. */
const lastSeeded = "ws_preview_loan";

/**
 * Whether the catalogue is the demo's as it was seeded, and nothing was ever recorded: also where a start was cut off between
 * the two. Takes no lock.
 */
export async function awaitsDemoTraffic({ db }: CatalogueHandle): Promise<boolean> {
  const seeded = await db
    .selectFrom("website")
    .innerJoin("catalogue_version", "catalogue_version.version", "website.changed")
    .select("website.id")
    .where("website.key", "=", lastSeeded)
    .executeTakeFirst();
  if (seeded === undefined) return false;
  // Each event has a cell, and no cell is ever deleted.
  return (await db.selectFrom("cell").select("id").limit(1).executeTakeFirst()) === undefined;
}
