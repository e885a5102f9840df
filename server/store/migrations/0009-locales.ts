import type { Kysely } from "kysely";

/** An offer's texts in other languages: those that are there have none, and do not say which language theirs are in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("offer")
    .addColumn("language", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("offer")
    .addColumn("locales_json", "text", (c) => c.notNull().defaultTo("{}"))
    .execute();
}
