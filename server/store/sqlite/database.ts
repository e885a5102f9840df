import type { Database as Sqlite } from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import type { Schema } from "../schema.ts";
import { openSqlite, type SqliteOptions } from "./open-sqlite.ts";

/** Two views of one connection: kysely for what is cold, prepared statements for what is hot. */
export type Database = { db: Kysely<Schema>; sqlite: Sqlite };

/** Opens the database file as `openSqlite` does, with kysely on top; `db.destroy()` closes both. */
export function openDatabase(options: SqliteOptions): Database {
  const sqlite = openSqlite(options);
  return { db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) }), sqlite };
}
