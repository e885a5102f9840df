import { type Kysely, sql } from "kysely";

const figures = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billable_clicks",
  "spend_micros",
  "filtered",
  "drawn",
] as const;

/** What is kept of facts that are deleted, and by what the rows are found that go after some days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table closed_sum (
    cell integer not null, day integer not null,
    ${sql.raw(figures.map((column) => `${column} bigint not null`).join(", "))},
    primary key (cell, day)) without rowid`.execute(db);
  await sql`create table closed_bill (
    cell integer not null, day integer not null, offer integer not null, type integer not null,
    events bigint not null, billed_micros bigint not null,
    primary key (cell, day, offer, type)) without rowid`.execute(db);
  await db.schema.createIndex("snippet_ping_by_age").on("snippet_ping").column("hour").execute();
}
