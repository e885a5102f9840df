import BetterSqlite3 from "better-sqlite3";
import { refuseNetworkFilesystem } from "./network-filesystem.ts";
import { storageTrouble } from "./storage-trouble.ts";
import { retryWhileLocked } from "./write-lock.ts";

/** `full`: a commit is on the disk when it returns. `relaxed`: a power cut may take the last ones back. */
export type Durability = "full" | "relaxed";

export type SqliteOptions = {
  /** Path of the file; its directory exists. */
  file: string;
  durability: Durability;
  /** How long a statement waits for another connection's lock, blocking its thread; 5,000 when left out. */
  busyTimeoutMs?: number;
  /** Whether nobody else may have the file open, from now until it is closed; left out: anybody may. */
  isAlone?: boolean;
  /** Most memory for cached pages; 8,192 when left out. */
  cacheKibibytes?: number;
};

/** Earlier ones can corrupt a file in WAL mode when two connections checkpoint (sqlite.org/wal.html). */
const oldestSafeSqlite = [3, 51, 3] as const;

/**
 * Opens (and, when missing, creates) the database file in WAL mode and proves by reading back that every commit
 * is as durable as asked. Throws an error that says what is wrong with the file or the SQLite library.
 */
export function openSqlite(options: SqliteOptions): BetterSqlite3.Database {
  const { file } = options;
  refuseNetworkFilesystem(file);
  try {
    return open(options);
  } catch (error) {
    const code = storageTrouble(error)?.code;
    if (code?.startsWith("SQLITE_CANTOPEN") !== true) throw error;
    // SQLite does not say which file it was, and mostly somebody else has made it.
    const message = `${file}, or its -wal or -shm, cannot be opened (${code}): do they belong to the user that the service runs as?`;
    throw new BetterSqlite3.SqliteError(message, code);
  }
}

const open = (options: SqliteOptions): BetterSqlite3.Database => {
  const { file, durability, isAlone = false, busyTimeoutMs = 5000, cacheKibibytes = 8192 } = options;
  const sqlite = new BetterSqlite3(file, { timeout: busyTimeoutMs });
  try {
    requireSafeVersion(sqlite);
    // Before the first access: with a log, others would else be let in for good.
    if (isAlone) requirePragma(sqlite, "locking_mode", "exclusive");
    // Two processes that create one file at once: SQLite refuses the second without waiting.
    // A service that has it open keeps it open: alone, it is not waited for.
    retryWhileLocked(() => requirePragma(sqlite, "journal_mode", "wal"), isAlone ? 500 : 5000);
    // The library is built to make WAL relaxed, so this is not a default.
    requirePragma(sqlite, "synchronous", durability === "full" ? 2 : 1);
    requirePragma(sqlite, "foreign_keys", 1);
    // A disk error under mapped memory is a SIGBUS, which nobody can turn into a 503.
    requirePragma(sqlite, "mmap_size", 0);
    // On macOS fsync returns before the drive has written. No effect elsewhere.
    requirePragma(sqlite, "fullfsync", 1);
    // What is deleted, salts above all, is overwritten.
    requirePragma(sqlite, "secure_delete", 1);
    sqlite.pragma(`cache_size = -${cacheKibibytes}`);
    // 16 MB of log between two foldings: pages that change again and again are written back once.
    sqlite.pragma("wal_autocheckpoint = 4000");
    sqlite.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
};

const requireSafeVersion = (sqlite: BetterSqlite3.Database): void => {
  const version = String(sqlite.prepare("select sqlite_version()").pluck().get());
  if (isSafeSqlite(version)) return;
  throw new Error(`SQLite ${version} is too old: ${oldestSafeSqlite.join(".")} or later is needed`);
};

/** Whether a version, such as "3.51.3", is not before the first in which nothing corrupts a file in WAL mode. */
export function isSafeSqlite(version: string): boolean {
  const parts = version.split(".").map(Number);
  const differing = oldestSafeSqlite.findIndex((part, at) => parts[at] !== part);
  return differing === -1 || (parts[differing] ?? 0) > (oldestSafeSqlite[differing] ?? 0);
}

const requirePragma = (sqlite: BetterSqlite3.Database, name: string, value: string | number): void => {
  sqlite.pragma(`${name} = ${value}`);
  const actual: unknown = sqlite.pragma(name, { simple: true });
  // In memory or on an odd filesystem there is no WAL; mmap_size then has no value at all.
  if (actual === value || (name === "mmap_size" && actual === undefined)) return;
  throw new Error(`SQLite did not take ${name} = ${value}: it is ${String(actual)}`);
};
