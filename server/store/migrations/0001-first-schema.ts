import { type Kysely, sql } from "kysely";

const int = "bigint";

/** The catalogue: who publishes, who advertises, and what may be shown. */
const createCatalogue = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("publisher")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("public_key", "text", (c) => c.notNull().unique())
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("website")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("key", "text", (c) => c.notNull().unique())
    .addColumn("publisher_id", "text", (c) => c.notNull().references("publisher.id"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("vertical", "text", (c) => c.notNull())
    .addColumn("own_brand", "text", (c) => c.notNull())
    .addColumn("development", "integer", (c) => c.notNull())
    .addColumn("origins_json", "text", (c) => c.notNull())
    .addColumn("geo_rule_json", "text", (c) => c.notNull())
    .addColumn("settings_json", "text", (c) => c.notNull())
    .addColumn("allowlist_json", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("advertiser")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("deposited_micros", int, (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("offer")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("advertiser_id", "text", (c) => c.notNull().references("advertiser.id"))
    .addColumn("brand", "text", (c) => c.notNull())
    .addColumn("vertical", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("description", "text", (c) => c.notNull())
    .addColumn("cta_text", "text", (c) => c.notNull())
    .addColumn("image_url", "text")
    .addColumn("landing_url", "text", (c) => c.notNull())
    .addColumn("disclosure", "text", (c) => c.notNull())
    .addColumn("terms", "text", (c) => c.notNull())
    .addColumn("geo_json", "text", (c) => c.notNull())
    .addColumn("payout_model", "text", (c) => c.notNull())
    .addColumn("payout_micros", int, (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("premium", "integer", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("daily_budget_micros", int)
    .addColumn("total_budget_micros", int)
    .addColumn("daily_click_cap", int)
    .addColumn("total_click_cap", int)
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("offer_by_advertiser").on("offer").column("advertiser_id").execute();
  await db.schema
    .createTable("catalogue_version")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("version", int, (c) => c.notNull())
    .execute();
  await sql`insert into catalogue_version (id, version) values (1, 1)`.execute(db);
};

/** Money: what each cap has left, and the append-only book behind it. */
const createMoney = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("spend")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("spent_micros", int, (c) => c.notNull().defaultTo(0))
    .addColumn("billed_clicks", int, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("spend_key", ["subject", "day"])
    .execute();
  await db.schema
    .createTable("ledger_line")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("advertiser_id", "text", (c) => c.notNull())
    .addColumn("offer_id", "text")
    .addColumn("event_id", "text", (c) => c.unique())
    .addColumn("micros", int, (c) => c.notNull())
    .execute();
};

/** Traffic: every event, and the counters that are folded from them. */
const createTraffic = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("event")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("request", "text", (c) => c.notNull())
    .addColumn("first", "integer")
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("offer_id", "text", (c) => c.notNull())
    .addColumn("vertical", "text", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("region", "text", (c) => c.notNull())
    .addColumn("surface", "text", (c) => c.notNull())
    .addColumn("placement", "text")
    .addColumn("position", "integer")
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("reason", "text")
    .addColumn("overruled", "text")
    .addColumn("mark", "text")
    .addColumn("test", "integer", (c) => c.notNull())
    .addColumn("visitor", "text")
    .addColumn("price_micros", int)
    .addColumn("payout_model", "text")
    .addColumn("billed_micros", int)
    .addColumn("click_id", "text")
    .addColumn("beacon_at", int)
    .addColumn("hop_at", int)
    .addColumn("hints_json", "text")
    .execute();
  // `first` before `type`: one range of it is every first event of a request's offer, and the null of the
  // repetitions keeps however many of those there are out of that range.
  await db.schema
    .createIndex("event_once")
    .unique()
    .on("event")
    .columns(["request", "offer_id", "first", "type"])
    .execute();
  await sql`create index event_billed_click on event (visitor, offer_id, at)
    where type = 'click' and billed_micros is not null`.execute(db);
  await db.schema
    .createTable("counter")
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("vertical", "text", (c) => c.notNull())
    .addColumn("surface", "text", (c) => c.notNull())
    .addColumn("test", "integer", (c) => c.notNull())
    .addColumn("blocked", int, (c) => c.notNull().defaultTo(0))
    .addColumn("served", int, (c) => c.notNull().defaultTo(0))
    .addColumn("impressions", int, (c) => c.notNull().defaultTo(0))
    .addColumn("clicks", int, (c) => c.notNull().defaultTo(0))
    .addColumn("billable_clicks", int, (c) => c.notNull().defaultTo(0))
    .addColumn("spend_micros", int, (c) => c.notNull().defaultTo(0))
    .addColumn("filtered", int, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("counter_key", ["website_id", "day", "country", "vertical", "surface", "test"])
    .execute();
  await db.schema
    .createTable("snippet_ping")
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("host", "text", (c) => c.notNull())
    .addColumn("script_version", "text", (c) => c.notNull())
    .addColumn("hour", int, (c) => c.notNull())
    .addColumn("surface", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("last_at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("snippet_ping_key", ["website_id", "host", "script_version", "hour"])
    .execute();
  await db.schema
    .createTable("visitor_salt")
    .addColumn("day", "text", (c) => c.primaryKey())
    .addColumn("salt", "text", (c) => c.notNull())
    .execute();
};

export async function up(db: Kysely<unknown>): Promise<void> {
  await createCatalogue(db);
  await createMoney(db);
  await createTraffic(db);
}
