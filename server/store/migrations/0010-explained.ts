import type { Kysely } from "kysely";

/** By what the visit of a decline session was located; with those of decisions it stands in the facts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["catalogue", "geo_source"] as const) {
    await db.schema.alterTable("decline_session").addColumn(column, "bigint").execute();
  }
}
