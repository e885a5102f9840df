import { type Kysely, sql } from "kysely";

const int = "bigint";

/** Who may call without a browser. Of a credential only its hash is kept. */
const createCredentials = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("api_key")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("publisher_id", "text", (c) => c.notNull().references("publisher.id"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("last_four", "text", (c) => c.notNull())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("created_at", int, (c) => c.notNull())
    .addColumn("expires_at", int)
    .addColumn("revoked_at", int)
    .addColumn("last_used_at", int)
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
    .execute();
  await db.schema
    .createIndex("integration_secret_by_website")
    .on("integration_secret")
    .column("website_id")
    .execute();
};

const createIdempotency = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable("idempotency")
    .addColumn("scope", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("fingerprint", "text", (c) => c.notNull())
    .addColumn("answer_json", "text", (c) => c.notNull())
    .addColumn("at", int, (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_key", ["scope", "key"])
    .execute();
  await db.schema.createIndex("idempotency_by_age").on("idempotency").column("at").execute();
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

const dayKey = ["website_id", "day", "vertical", "surface", "test"] as const;
const monthKey = ["website_id", "month", "country", "vertical", "surface", "test"] as const;

/**
 * Sums of `counter` for the reports that would add up a year of it: over the countries, and over the
 * days of a month. Triggers keep them, so that whoever writes a counter cannot forget them.
 */
const createSums = async (db: Kysely<unknown>): Promise<void> => {
  const createSum = (name: string, key: readonly string[]) => {
    let table = db.schema.createTable(name);
    for (const column of key) {
      const isNumber = column === "website_id" || column === "test";
      table = table.addColumn(column, isNumber ? "integer" : "text", (c) => c.notNull());
    }
    for (const column of figures) table = table.addColumn(column, int, (c) => c.notNull());
    return table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]).execute();
  };
  await createSum("counter_day", dayKey);
  await createSum("counter_month", monthKey);

  type Side = "new" | "old";
  const add = (table: string, key: readonly string[], side: Side, sign: "" | "-") => {
    const values = [
      ...key.map((name) => (name === "month" ? `substr(${side}.day, 1, 7)` : `${side}.${name}`)),
      ...figures.map((name) => `${sign}${side}.${name}`),
    ];
    return `
      insert into ${table} (${[...key, ...figures].join(", ")}) values (${values.join(", ")})
      on conflict (${key.join(", ")}) do update set
        ${figures.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")};`;
  };
  const both = (side: Side, sign: "" | "-") =>
    add("counter_day", dayKey, side, sign) + add("counter_month", monthKey, side, sign);
  const triggers = {
    insert: both("new", ""),
    update: both("old", "-") + both("new", ""),
    delete: both("old", "-"),
  };
  for (const [event, statements] of Object.entries(triggers)) {
    await sql
      .raw(`create trigger counter_sums_on_${event} after ${event} on counter begin ${statements} end`)
      .execute(db);
  }
  // What was counted before these tables stood.
  const sums = figures.map((name) => `sum(${name})`).join(", ");
  await sql
    .raw(
      `insert into counter_day select ${dayKey.join(", ")}, ${sums} from counter group by ${dayKey.join(", ")}`,
    )
    .execute(db);
  await sql
    .raw(
      `insert into counter_month select website_id, substr(day, 1, 7) as month, country, vertical, surface, test, ${sums}
       from counter group by website_id, month, country, vertical, surface, test`,
    )
    .execute(db);
};

export async function up(db: Kysely<unknown>): Promise<void> {
  await createCredentials(db);
  await createIdempotency(db);
  await createSums(db);
}
