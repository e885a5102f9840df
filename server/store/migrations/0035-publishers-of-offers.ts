import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statements = (text: string): string[] =>
  ["only_publishers_json", "except_publishers_json"].map(
    (column) => `alter table offer add column ${column} ${text} not null default '[]'`,
  );

/** Which publishers may show an offer: of those that are there all may. */
export const publishersOfOffers: Migration = {
  up: async (db) => {
    for (const statement of statements("text")) await sql.raw(statement).execute(db);
  },
  postgres: { oldestProgram: 26, up: statements('text collate "C"') },
};
