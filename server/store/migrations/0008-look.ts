import { type Kysely, sql } from "kysely";

/** What a website chooses of its look: those that are there have chosen nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update website set settings_json = json_set(
    settings_json, '$.accent', null, '$.radius', null, '$.font', 'own', '$.logo', null
  )`.execute(db);
}
