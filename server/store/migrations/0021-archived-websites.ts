import type { Kysely } from "kysely";

/**
 * A website that its publisher deletes is kept for what counted on it, and one may say in which place of a call its own
 * server carries the integration secret.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("website").addColumn("archived_at", "integer").execute();
  await db.schema
    .alterTable("website")
    .addColumn("secret_carrier", "text", (c) => c.notNull().defaultTo("any"))
    .execute();
}
