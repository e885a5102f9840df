import { prepareCells } from "./cells.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { Durability } from "./open-sqlite.ts";
import { prepareSettlingAll } from "./waiting-sums.ts";

/**
 * Opens the database so that nobody else has it open, or can open it before it is closed, at this program's schema and with
 * nothing that waits to be added to its sums. Rejects with SQLITE_BUSY while anybody has it open.
 */
export async function openAlone(options: { file: string; durability: Durability }): Promise<Database> {
  const database = openDatabase({ ...options, isAlone: true, busyTimeoutMs: 100 });
  const { db, sqlite } = database;
  try {
    await migrate(database, { isAlone: true });
    sqlite.transaction(prepareSettlingAll(sqlite, prepareCells(sqlite)))();
    return database;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
