import { type Kysely, sql } from "kysely";

/** When offers run and whom they are for: those that are there run always, for everybody. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["starts_at", "ends_at"]) {
    await db.schema.alterTable("offer").addColumn(column, "text").execute();
  }
  for (const column of ["days_json", "hours_json", "languages_json", "devices_json"]) {
    await db.schema
      .alterTable("offer")
      .addColumn(column, "text", (c) => c.notNull().defaultTo(sql`'[]'`))
      .execute();
  }
  await db.schema
    .alterTable("offer")
    .addColumn("time_zone", "text", (c) => c.notNull().defaultTo("UTC"))
    .execute();
}
