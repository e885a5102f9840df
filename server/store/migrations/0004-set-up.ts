import { type Kysely, sql } from "kysely";

/** Which calls of a website's pages were refused, and whether the website is paused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("website")
    .addColumn("paused", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("refused_call")
    // 0: the website is none that there is.
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("code", "text", (c) => c.notNull())
    .addColumn("times", "bigint", (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("refused_call_key", ["website_id", "origin", "code"])
    .execute();
  await sql`create index refused_call_at on refused_call (last_at)`.execute(db);
  await sql`create index refused_call_of on refused_call (website_id, last_at)`.execute(db);
}
