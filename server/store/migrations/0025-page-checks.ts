import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What the last look at a page of a website has found: told by whichever process is asked. */
export const pageChecks: Migration = {
  up: async (db) => {
    await sql`create table page_check (
      website_key text primary key, url text not null, findings_json text not null, at integer not null) without rowid`.execute(
      db,
    );
  },
  postgres: {
    oldestProgram: 24,
    up: [
      `create table page_check (
        website_key text collate "C" primary key, url text collate "C" not null,
        findings_json text collate "C" not null, at bigint not null)`,
    ],
  },
};
