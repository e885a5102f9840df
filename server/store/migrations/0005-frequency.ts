import { type Kysely, sql } from "kysely";

/** Which visitors are not shown the overlay again on a day, and what a website says of that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A number is never used twice, so that what is new is found by it after a purge as well.
  await sql`create table dismissal (
    number integer primary key autoincrement, day bigint not null, visitor blob not null,
    unique (day, visitor))`.execute(db);
  await sql`update website set settings_json = json_insert(settings_json, '$.frequency', 'closed')`.execute(
    db,
  );
}
