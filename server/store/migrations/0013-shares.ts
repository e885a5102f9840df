import { type Kysely, sql } from "kysely";

/**
 * What publishers earn of what is billed. Until now a publisher's share was all of it, so that is what stands with all
 * that was billed; a line of the ledger learns its website from its fact, of which a view is of type 3 and a click of
 * type 4.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("publisher")
    .addColumn("share_basis_points", "integer", (c) => c.notNull().defaultTo(10_000))
    .execute();
  await db.schema
    .alterTable("publisher")
    .addColumn("shows_spend", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("website").addColumn("share_basis_points", "integer").execute();

  await db.schema.alterTable("fact").addColumn("earned_micros", "bigint").execute();
  await sql`update fact set earned_micros = billed_micros where billed_micros is not null`.execute(db);

  await db.schema.alterTable("ledger_line").addColumn("website", "integer").execute();
  await db.schema.alterTable("ledger_line").addColumn("earned_micros", "bigint").execute();
  await sql`update ledger_line set earned_micros = -micros, website = (
    select cell.website_id from fact join cell on cell.id = fact.cell
    where fact.request = ledger_line.request and fact.offer = ledger_line.offer
      and fact.type = case ledger_line.kind when 'click' then 4 else 3 end and fact.seq = 0
  ) where kind <> 'deposit'`.execute(db);

  for (const table of ["counter", "counter_day", "counter_publisher", "counter_delta"]) {
    await db.schema
      .alterTable(table)
      .addColumn("earned_micros", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update ${sql.table(table)} set earned_micros = spend_micros where spend_micros <> 0`.execute(
      db,
    );
  }
}
