import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statements = (type: string): string[] => [
  `alter table api_key add column made_by_user ${type}`,
  // Activity knows it of those that are there.
  `update api_key set made_by_user = (
    select max(cast(actor_id as bigint)) from activity
    where subject_kind = 'api_key' and subject_id = api_key.id and action = 'created' and actor_kind = 'user')`,
];

/** Whose account has made a key: their name goes when they are removed, and Activity does not know it for ever. */
export const keysByUser: Migration = {
  up: async (db) => {
    for (const statement of statements("integer")) await sql.raw(statement).execute(db);
  },
  postgres: { oldestProgram: 26, up: statements("bigint") },
};
