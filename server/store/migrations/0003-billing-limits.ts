import { type Kysely, sql } from "kysely";

/**
 * What networks, and viewers of offers that are paid by the view, were billed for in each minute: by it both are
 * limited. The keys begin with the time that is purged as a whole, so that no index beside them has to be written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table billed_network (
    day bigint not null, network blob not null, at bigint not null,
    clicks integer not null, unnamed integer not null,
    primary key (day, network, at)) without rowid`.execute(db);
  await sql`create table billed_view (
    hour bigint not null, viewer blob not null, offer integer not null, at bigint not null,
    views integer not null,
    primary key (hour, viewer, offer, at)) without rowid`.execute(db);
}
