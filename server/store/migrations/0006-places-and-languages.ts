import { type Kysely, sql } from "kysely";

/** What websites and offers are told of since, with what was true of those that are there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update website set settings_json = json_set(
    settings_json, '$.placement', 'center', '$.pages', json('{"include":[],"exclude":[]}')
  )`.execute(db);
}
