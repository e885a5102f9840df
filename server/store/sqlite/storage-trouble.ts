import type { StorageTrouble } from "../journal/journal.ts";

/**
 * SQLite's result codes that speak of the file, the disk or a lock. A constraint or a bug in a statement is
 * not among them: trying that again would fail again.
 */
const troubles: Readonly<Record<string, number>> = {
  // Somebody else is writing; that rarely takes long.
  SQLITE_BUSY: 1,
  SQLITE_LOCKED: 1,
  SQLITE_PROTOCOL: 1,
  // Somebody has to make room or mend the disk.
  SQLITE_FULL: 5,
  SQLITE_IOERR: 5,
  SQLITE_CANTOPEN: 5,
  SQLITE_READONLY: 5,
  SQLITE_NOMEM: 5,
  SQLITE_CORRUPT: 5,
  SQLITE_NOTADB: 5,
};

/** What the storage's refusal was, and after how many whole seconds to try again; null for any other error. */
export function storageTrouble(error: unknown): StorageTrouble | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (typeof code !== "string") return null;
  // SQLITE_IOERR_FSYNC and its like are refinements of the primary code.
  const primary = code.split("_").slice(0, 2).join("_");
  const retryAfterSeconds = troubles[primary];
  return retryAfterSeconds === undefined ? null : { code, retryAfterSeconds };
}

/** Whether the error says that another connection holds the lock that was asked for. */
export function isLockedByAnother(error: unknown): boolean {
  return storageTrouble(error)?.code.startsWith("SQLITE_BUSY") ?? false;
}
