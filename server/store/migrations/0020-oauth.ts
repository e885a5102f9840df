import { type Kysely, sql } from "kysely";

/** Partners' applications, what people have allowed them, and the codes and tokens that follow from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("oauth_client")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("application_type", "text", (c) => c.notNull())
    .addColumn("secret_hash", "text")
    .addColumn("redirect_uris_json", "text", (c) => c.notNull())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("revoked_at", "bigint")
    .addColumn("changed", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("oauth_grant")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("user_id", "integer", (c) => c.notNull())
    .addColumn("publisher_id", "text", (c) => c.notNull())
    .addColumn("scopes_json", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("changed", "integer", (c) => c.notNull())
    .execute();
  await sql`create index oauth_grant_of_publisher on oauth_grant (publisher_id)`.execute(db);
  await sql`create index oauth_grant_of_client on oauth_grant (client_id)`.execute(db);
  await db.schema
    .createTable("oauth_row")
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("id_hash", "text", (c) => c.notNull())
    .addColumn("payload_json", "text", (c) => c.notNull())
    .addColumn("grant_id", "text")
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("consumed_at", "bigint")
    .addPrimaryKeyConstraint("oauth_row_key", ["model", "id_hash"])
    .execute();
  await sql`create index oauth_row_of_grant on oauth_row (grant_id)`.execute(db);
  await sql`create index oauth_row_expires on oauth_row (expires_at)`.execute(db);
}
