import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What the tag's first file fetches, of releases that browsers and nodes may still go by (decisions.md#chunks-kept). */
export const chunks: Migration = {
  up: async (db) => {
    await sql`create table chunk (name text primary key, script blob not null, replaced_at integer)`.execute(
      db,
    );
  },
  postgres: {
    oldestProgram: 26,
    up: [`create table chunk (name text collate "C" primary key, script bytea not null, replaced_at bigint)`],
  },
};
