import type { Database as Sqlite } from "better-sqlite3";
import { storageTrouble } from "./storage-trouble.ts";

/** So little comes together meanwhile that the writer, which folds the rest, is held up for some milliseconds. */
const foldEveryMs = 200;

/**
 * Folds SQLite's write-ahead log into the database every now and then, without keeping anybody from writing. The log begins
 * anew only when all of it is folded in, which the connection that writes does within a commit when it has become long; what
 * is folded by then is no longer waited for there. Returns what ends it.
 */
export function startFoldingLog(sqlite: Sqlite): () => void {
  const fold = sqlite.prepare("pragma wal_checkpoint(passive)");
  const timer = setInterval(() => {
    try {
      fold.get();
    } catch (error) {
      // Whoever writes is told, and nothing is lost by trying again.
      if (storageTrouble(error) === null) throw error;
    }
  }, foldEveryMs);
  return () => clearInterval(timer);
}
