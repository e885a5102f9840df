import { type Kysely, sql } from "kysely";

/** What offers are ranked by: counted impressions and clicks, rates of currencies, and floor prices of websites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rate_count")
    .addColumn("offer", "integer", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("placement", "integer", (c) => c.notNull())
    .addColumn("impressions", "bigint", (c) => c.notNull())
    .addColumn("clicks", "bigint", (c) => c.notNull())
    .addColumn("changed", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("rate_count_key", ["offer", "country", "placement"])
    .modifyEnd(sql`without rowid`)
    .execute();
  await db.schema
    .createTable("rate_version")
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into rate_version (version) values (0)`.execute(db);
  await countFacts(db);
  await db.schema
    .createTable("currency_rate")
    .addColumn("currency", "text", (c) => c.primaryKey())
    // Null: it was taken out, and who has read it before is to hear of that.
    .addColumn("rate", "real")
    .addColumn("changed", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .alterTable("website")
    .addColumn("floor_micros", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable("website")
    .addColumn("floor_currency", "text", (c) => c.notNull().defaultTo("EUR"))
    .execute();
}

/** What was counted before this: impressions are facts of type 3, clicks of type 4; the places 1 and 2 have rates. */
const countFacts = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    insert into rate_count (offer, country, placement, impressions, clicks, changed)
    select fact.offer, cell.country, fact.placement, sum(fact.type = 3), sum(fact.type = 4), 1
    from fact join cell on cell.id = fact.cell
    where fact.type in (3, 4) and fact.offer > 0 and fact.placement in (1, 2) and fact.reason is null and cell.test = 0
    group by fact.offer, cell.country, fact.placement`.execute(db);
  await sql`update rate_version set version = 1 where exists (select 1 from rate_count)`.execute(db);
};
