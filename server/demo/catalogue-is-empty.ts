import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";

/** Whether nobody has saved anything yet. Takes no lock. */
export async function isEmpty({ db }: CatalogueHandle): Promise<boolean> {
  for (const table of ["publisher", "advertiser"] as const) {
    if (await db.selectFrom(table).select("id").limit(1).executeTakeFirst()) return false;
  }
  return true;
}
