import { type Kysely, sql } from "kysely";

/**
 * Refused calls hour by hour, of API keys as well as of websites, and how often the tag was loaded in an hour. Of an hour
 * that was noted before, nothing but one load is known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("trouble")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("hour", "bigint", (c) => c.notNull())
    .addColumn("code", "text", (c) => c.notNull())
    .addColumn("detail", "text", (c) => c.notNull())
    .addColumn("times", "bigint", (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("trouble_key", ["subject", "hour", "code", "detail"])
    .execute();
  await sql`create index trouble_at on trouble (last_at)`.execute(db);
  await sql`create index trouble_of on trouble (detail)`.execute(db);
  await sql`insert into trouble (subject, hour, code, detail, times, last_at)
    select 'website:' || website_id, last_at - last_at % 3600000, code, origin, times, last_at from refused_call`.execute(
    db,
  );
  await db.schema.dropTable("refused_call").execute();
  await db.schema
    .alterTable("snippet_ping")
    .addColumn("loads", "bigint", (c) => c.notNull().defaultTo(1))
    .execute();
}
