import type { Migration } from "./migration.ts";

/**
 * What tells this database from others, wherever it is copied or restored to: a node's spool goes by it
 * (decisions.md#spool-of-one-database). A file has no spool.
 */
export const databaseId: Migration = {
  up: async () => undefined,
  postgres: {
    oldestProgram: 26,
    up: [
      `create table database_id (id text collate "C" primary key)`,
      "insert into database_id (id) values (gen_random_uuid()::text)",
    ],
  },
};
