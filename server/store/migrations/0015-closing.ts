import { type Kysely, sql } from "kysely";

/** What is kept of facts that are deleted, and by what the rows are found that go after some days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table closed_detail (website_id integer not null, hour integer not null, lines blob not null,
    primary key (website_id, hour)) without rowid`.execute(db);
  await sql`create table closed_bill (
    cell integer not null, day integer not null, offer integer not null, type integer not null,
    events bigint not null, billed_micros bigint not null, earned_micros bigint not null,
    primary key (cell, day, offer, type)) without rowid`.execute(db);
  await db.schema.createIndex("snippet_ping_by_age").on("snippet_ping").column("hour").execute();
}
