import { type Kysely, sql } from "kysely";

/** What the last look at a page of a website has found: told by whichever process is asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table page_check (
    website_key text primary key, url text not null, findings_json text not null, at integer not null) without rowid`.execute(
    db,
  );
}
