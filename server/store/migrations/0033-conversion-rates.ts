import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statements = (number: string): string[] => [
  `alter table offer add column conversion_rate_basis_points ${number}`,
];

/** How often an offer's clicks are expected to convert: of those that are there what is assumed of their model. */
export const conversionRates: Migration = {
  up: async (db) => {
    for (const statement of statements("integer")) await sql.raw(statement).execute(db);
  },
  postgres: { oldestProgram: 26, up: statements("bigint") },
};
