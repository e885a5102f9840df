import type { Kysely } from "kysely";

/** How an offer's day budget is spent: those that are there spend theirs as visitors come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("offer")
    .addColumn("pacing", "text", (c) => c.notNull().defaultTo("asap"))
    .execute();
}
