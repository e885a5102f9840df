import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statement = (type: string): string => `alter table sign_in_link add column made_by_user ${type}`;

/** Whose account has made a link: the links of one that is shut out end with it. */
export const linksByUser: Migration = {
  up: async (db) => {
    await sql.raw(statement("integer")).execute(db);
  },
  postgres: { oldestProgram: 26, up: [statement("bigint")] },
};
