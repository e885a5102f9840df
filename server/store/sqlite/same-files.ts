import BetterSqlite3 from "better-sqlite3";
import type { Log } from "../../core/log-events.ts";
import { realFile } from "./real-file.ts";
import { statFile } from "./stat-file.ts";

/** The database, its log, and the memory by which connections share the log. None is made anew while one is open. */
const suffixes = ["", "-wal", "-shm"] as const;

/**
 * Remembers which files stand under the names of an open database, and prepares what throws SQLite's own error for a
 * database that was moved as soon as one of them is gone or another one. SQLite goes on writing to a file that has no
 * name any more and reports success, and nobody would find what is in it. For good: even when the same file
 * comes back, another process may have worked on it by another log. `log` hears of it once. Where the system does not let it
 * look, that is thrown for as long as it lasts, but not once something is committed: whoever is refused may come again, and
 * right before it the files were there.
 */
export function rememberFiles(named: string, log: Log): (when?: { isCommitted: boolean }) => void {
  const database = realFile(named);
  // Where it is named by a link, that may be turned elsewhere as well.
  const files = [...suffixes.map((suffix) => `${database}${suffix}`), named];
  const known = files.map((file) => ({ file, id: idOf(file) }));
  let lost: string | null = null;
  return ({ isCommitted } = { isCommitted: false }) => {
    if (lost === null) {
      try {
        lost = known.find(({ file, id }) => id === null || idOf(file) !== id)?.file ?? null;
      } catch (error) {
        if (isCommitted) return;
        throw error;
      }
      if (lost === null) return;
      log({ event: "database_file_lost", file: lost });
    }
    throw new BetterSqlite3.SqliteError(`${lost} was removed or replaced`, "SQLITE_READONLY_DBMOVED");
  };
}

/** Device and inode, which no other file has while this one is open; null when nothing has that name. */
const idOf = (file: string): string | null => {
  const found = statFile(file);
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};
