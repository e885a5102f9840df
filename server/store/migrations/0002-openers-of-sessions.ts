import { type Kysely, sql } from "kysely";

/** Which network opened a decline session, how many each website has, and which of them give way first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("decline_session").addColumn("opener", "blob").execute();
  for (const [name, columns] of [
    ["decline_session_waiting", "website_id, number"],
    ["decline_session_of_opener", "website_id, opener, number"],
  ]) {
    await sql.raw(`create index ${name} on decline_session (${columns}) where ready_at is null`).execute(db);
  }
  await db.schema
    .createTable("decline_kept")
    .addColumn("website_id", "integer", (c) => c.primaryKey())
    .addColumn("sessions", "bigint", (c) => c.notNull())
    .execute();
  // Counted by the database: sessions are deleted in several places, and a count of the rows would read them all.
  await sql`insert into decline_kept
    select website_id, count(*) from decline_session group by website_id
    union all select 0, count(*) from decline_session`.execute(db);
  await sql`create trigger decline_session_opened after insert on decline_session begin
    insert into decline_kept values (new.website_id, 1), (0, 1)
      on conflict (website_id) do update set sessions = sessions + 1;
  end`.execute(db);
  await sql`create trigger decline_session_removed after delete on decline_session begin
    update decline_kept set sessions = sessions - 1 where website_id in (old.website_id, 0);
  end`.execute(db);
}
