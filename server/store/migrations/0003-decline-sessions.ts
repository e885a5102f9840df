import type { Kysely } from "kysely";

const int = "bigint";

/**
 * Visitors who wait to be declined, for some minutes each. Their numbers only grow, so that the span between the
 * first and the last bounds how many there are without counting them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("decline_session")
    .addColumn("number", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("request", "text", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("region", "text", (c) => c.notNull())
    .addColumn("test", "integer", (c) => c.notNull())
    .addColumn("visitor", "text")
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addColumn("ready_at", int)
    .addColumn("reason", "text")
    .addColumn("suppression_json", "text")
    .execute();
  await db.schema
    .createIndex("decline_session_by_expiry")
    .on("decline_session")
    .column("expires_at")
    .execute();
}
