import { type Kysely, sql } from "kysely";

/** What a list of many websites asks of pings: whose pages a host is, and how many loads an hour had, without their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index snippet_ping_of_host on snippet_ping (host, website_id, hour)`.execute(db);
  await sql`create index snippet_ping_loads on snippet_ping (website_id, hour, loads)`.execute(db);
}
