import type { Kysely } from "kysely";

/** Who changed what. An index for each way in which it is read, newest first, and one to purge by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("activity")
    .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("version", "bigint", (c) => c.notNull())
    .addColumn("actor_kind", "text", (c) => c.notNull())
    .addColumn("actor_id", "text", (c) => c.notNull())
    .addColumn("actor_name", "text", (c) => c.notNull())
    .addColumn("publisher_id", "text")
    .addColumn("subject_kind", "text", (c) => c.notNull())
    .addColumn("subject_id", "text", (c) => c.notNull())
    .addColumn("subject_name", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("before_json", "text")
    .addColumn("after_json", "text")
    .execute();
  const indexes: Record<string, string[]> = {
    activity_publisher: ["publisher_id", "id"],
    activity_publisher_actor: ["publisher_id", "actor_kind", "actor_id", "id"],
    activity_actor: ["actor_kind", "actor_id", "id"],
    activity_subject: ["subject_kind", "subject_id", "id"],
    activity_version: ["version"],
    activity_at: ["at"],
  };
  for (const [name, columns] of Object.entries(indexes)) {
    await db.schema.createIndex(name).on("activity").columns(columns).execute();
  }
}
