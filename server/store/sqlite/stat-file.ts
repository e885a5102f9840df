import { type BigIntStats, statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";

/**
 * What the system tells of a file of the database; undefined: nothing has that name.
 * @throws SQLite's error of a file that cannot be opened where the system does not tell, as while the directory's rights are
 * taken away: that passes, and the service ends of nothing that does.
 */
export function statFile(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BetterSqlite3.SqliteError(`${file} cannot be looked at: ${why}`, "SQLITE_CANTOPEN");
  }
}
