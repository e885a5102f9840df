import type { Kysely } from "kysely";

/** How many of a network's billed views were of visitors of whom no hash may be made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("billed_view")
    .addColumn("unnamed", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
