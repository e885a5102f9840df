import { type Kysely, sql } from "kysely";

/** What an API key is called and who made it: a list of several is of use only to whoever can tell them apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table api_key add column name text not null default ''").execute(db);
  await sql.raw("alter table api_key add column made_by text").execute(db);
}
