import type { Database as Sqlite } from "better-sqlite3";
import { type Driver, Kysely, SqliteDialect } from "kysely";
import type { Schema } from "../schema.ts";
import { openSqlite, type SqliteOptions } from "./open-sqlite.ts";
import { rollBack } from "./write-lock.ts";

/** Two views of one connection: kysely for what is cold, prepared statements for what is hot. */
export type Database = { db: Kysely<Schema>; sqlite: Sqlite };

/** Opens the database file as `openSqlite` does, with kysely on top; `db.destroy()` closes both. */
export function openDatabase(options: SqliteOptions): Database {
  const sqlite = openSqlite(options);
  return { db: new Kysely<Schema>({ dialect: new Dialect(sqlite) }), sqlite };
}

/** When a disk is full SQLite rolls back by itself, and kysely's own rollback would hide why by an error of its own. */
class Dialect extends SqliteDialect {
  readonly #sqlite: Sqlite;

  constructor(sqlite: Sqlite) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): Driver {
    return Object.assign(super.createDriver(), {
      rollbackTransaction: async () => rollBack(this.#sqlite),
    });
  }
}
