import { type Kysely, sql } from "kysely";

const int = "bigint";
const withoutRowid = sql`without rowid`;

/** The catalogue: who publishes, who advertises, and what may be shown. Its numbers are never used twice. */
const createCatalogue = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("publisher")
    .addColumn("number", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("public_key", "text", (c) => c.notNull().unique())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("changed", int, (c) => c.notNull())
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
    .addColumn("changed", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("website_by_publisher").on("website").column("publisher_id").execute();
  await db.schema
    .createTable("advertiser")
    .addColumn("number", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("deposited_micros", int, (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("offer")
    .addColumn("number", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("id", "text", (c) => c.notNull().unique())
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
    .addColumn("changed", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("offer_by_advertiser").on("offer").column("advertiser_id").execute();
};

/** Who may call without a browser. Of a credential only its hash is kept. */
const createCredentials = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("api_key")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("publisher_id", "text", (c) => c.notNull().references("publisher.id"))
    .addColumn("website_id", "integer", (c) => c.references("website.id"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("last_four", "text", (c) => c.notNull())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int)
    .addColumn("revoked_at", int)
    .addColumn("last_used_at", int)
    .addColumn("changed", int, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("api_key_by_publisher").on("api_key").column("publisher_id").execute();
  await db.schema
    .createTable("integration_secret")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("website_id", "integer", (c) => c.notNull().references("website.id"))
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("last_four", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("revoked_at", int)
    .addColumn("changed", int, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("integration_secret_by_website")
    .on("integration_secret")
    .column("website_id")
    .execute();
};

/** What a running service reads again is found by the version at which it changed. */
const createVersion = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("catalogue_version")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("version", int, (c) => c.notNull())
    .execute();
  await sql`insert into catalogue_version (id, version) values (1, 1)`.execute(db);
  for (const table of ["publisher", "website", "offer", "api_key", "integration_secret"]) {
    await db.schema.createIndex(`${table}_changed`).on(table).column("changed").execute();
  }
};

/** Money: what each cap has left, and the append-only ledger behind it. */
const createMoney = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("spend")
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("spent_micros", int, (c) => c.notNull().defaultTo(0))
    .addColumn("billed_clicks", int, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("spend_key", ["subject", "day"])
    .modifyEnd(withoutRowid)
    .execute();
  await db.schema
    .createTable("ledger_line")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("advertiser", "integer", (c) => c.notNull().references("advertiser.number"))
    .addColumn("offer", "integer")
    .addColumn("request", "blob")
    .addColumn("micros", int, (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .execute();
  // A guard: whatever goes wrong elsewhere, one event is billed once.
  await sql`create unique index ledger_line_once on ledger_line (request, offer, kind)
    where request is not null`.execute(db);
};

/** Traffic: every fact, and the dictionary of what facts have in common. */
const createTraffic = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("cell")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("region", "text", (c) => c.notNull())
    .addColumn("vertical", "text", (c) => c.notNull())
    .addColumn("surface", "text", (c) => c.notNull())
    .addColumn("test", "integer", (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("device", "integer", (c) => c.notNull())
    .addUniqueConstraint("cell_once", [
      "website_id",
      "country",
      "region",
      "vertical",
      "surface",
      "test",
      "currency",
      "device",
    ])
    .execute();
  await db.schema
    .createTable("fact")
    .addColumn("request", "blob", (c) => c.notNull())
    .addColumn("offer", "integer", (c) => c.notNull())
    .addColumn("type", "integer", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("cell", "integer", (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addColumn("reason", "text")
    .addColumn("overruled", "text")
    .addColumn("mark", "text")
    .addColumn("placement", "integer")
    .addColumn("position", "integer")
    .addColumn("billed_micros", int)
    .addColumn("beacon_at", int)
    .addColumn("hop_at", int)
    .addColumn("click_id", "blob")
    .addColumn("hints", "text")
    .addColumn("offers", "blob")
    .addColumn("drawn_at", int)
    .addColumn("browser", "integer")
    .addColumn("catalogue", int)
    .addColumn("rates", int)
    .addColumn("geo_source", "integer")
    .addPrimaryKeyConstraint("fact_key", ["request", "offer", "type", "seq"])
    .modifyEnd(withoutRowid)
    .execute();
  await db.schema
    .createTable("unkept_event")
    .addColumn("cell", "integer", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("events", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("unkept_event_key", ["cell", "day"])
    .modifyEnd(withoutRowid)
    .execute();
  await db.schema
    .createTable("billed_click")
    .addColumn("visitor", "blob", (c) => c.notNull())
    .addColumn("offer", "integer", (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("billed_click_key", ["visitor", "offer", "at"])
    .modifyEnd(withoutRowid)
    .execute();
  // What is purged after two days is found by it.
  await db.schema.createIndex("billed_click_by_age").on("billed_click").column("at").execute();
};

const figures = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billable_clicks",
  "spend_micros",
  "filtered",
] as const;

/** The keys of the counters and of the two sums over them. A counter's last five columns are foreseen and neutral. */
const counters: Record<string, Record<string, "integer" | "text">> = {
  counter: {
    website_id: "integer",
    day: "integer",
    country: "text",
    vertical: "text",
    surface: "text",
    test: "integer",
    currency: "text",
    offer: "integer",
    brand: "text",
    placement: "integer",
    device: "integer",
    hour: "integer",
  },
  counter_day: {
    website_id: "integer",
    day: "integer",
    vertical: "text",
    surface: "text",
    test: "integer",
    currency: "text",
  },
  counter_publisher: {
    publisher: "integer",
    day: "integer",
    country: "text",
    vertical: "text",
    surface: "text",
    test: "integer",
    currency: "text",
  },
};

const createCounters = async (db: Kysely<unknown>): Promise<void> => {
  for (const [name, key] of Object.entries(counters)) {
    const columns = [
      ...Object.entries(key).map(([column, type]) => `${column} ${type} not null`),
      ...figures.map((column) => `${column} ${int} not null`),
      `primary key (${Object.keys(key).join(", ")})`,
    ];
    await sql.raw(`create table ${name} (${columns.join(", ")}) without rowid`).execute(db);
  }
  const delta = ["number integer primary key", "cell integer not null", "day integer not null"];
  const columns = [...delta, ...figures.map((column) => `${column} ${int} not null`)];
  await sql.raw(`create table counter_delta (${columns.join(", ")})`).execute(db);
};

/** What stands for hours or days: pings, salts, answers that are repeated, visitors who wait to be declined. */
const createPassing = async (db: Kysely<unknown>): Promise<void> => {
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
    .addColumn("day", "integer", (c) => c.primaryKey())
    .addColumn("salt", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("kept_answer")
    .addColumn("scope", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("answer_json", "text", (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("kept_answer_key", ["scope", "key"])
    .execute();
  await db.schema.createIndex("kept_answer_by_age").on("kept_answer").column("at").execute();
  // The numbers only grow, so that the span between the first and the last bounds how many there are uncounted.
  await db.schema
    .createTable("decline_session")
    .addColumn("number", "integer", (c) => c.primaryKey())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("website_id", "integer", (c) => c.notNull())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("request", "blob", (c) => c.notNull())
    .addColumn("country", "text", (c) => c.notNull())
    .addColumn("region", "text", (c) => c.notNull())
    .addColumn("test", "integer", (c) => c.notNull())
    .addColumn("visitor", "text")
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int, (c) => c.notNull())
    .addColumn("ready_at", int)
    .addColumn("reason", "text")
    .addColumn("suppression_json", "text")
    .execute();
  await db.schema
    .createIndex("decline_session_by_expiry")
    .on("decline_session")
    .column("expires_at")
    .execute();
};

export async function up(db: Kysely<unknown>): Promise<void> {
  await createCatalogue(db);
  await createCredentials(db);
  await createVersion(db);
  await createMoney(db);
  await createTraffic(db);
  await createCounters(db);
  await createPassing(db);
}
