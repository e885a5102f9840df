import { type Kysely, sql } from "kysely";

/** What websites are told of since, and what is counted, with what was true of those that are there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update website set settings_json = json_set(
    settings_json, '$.placement', 'center', '$.pages', json('{"include":[],"exclude":[]}')
  )`.execute(db);
  for (const table of ["counter", "counter_day", "counter_publisher", "counter_delta"]) {
    await db.schema
      .alterTable(table)
      .addColumn("drawn", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  }
}
