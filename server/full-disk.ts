import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type DatabaseAddress, databaseName } from "./store/database-address.ts";

/**
 * What a command, or a start, says where it has failed since the disk of its database is full, with the `state` in which that
 * left the data; null where it failed for another cause.
 */
export function fullDisk(
  database: DatabaseAddress,
  error: unknown,
  state = "nothing was changed",
): string | null {
  const name = databaseName(database);
  if (hasNoRoom(database)) return sentence(name, state);
  return saysFull(error) ? sentence(`${name}, or the one for temporary files,`, state) : null;
}

const sentence = (what: string, state: string): string =>
  `the disk of ${what} is full; ${state}: make room and try again`;

/** As much as SQLite needs beside the database before it can do anything; without, it speaks of I/O errors. */
const leastBytes = 64 * 1024;

/** A server says so itself. */
const hasNoRoom = (database: DatabaseAddress): boolean => {
  if (database.engine !== "sqlite") return false;
  const { bavail, bsize } = statfsSync(dirname(database.file));
  return bavail * bsize < leastBytes;
};

/** How SQLite and PostgreSQL say it. An error that has come from another thread has only the words of its message. */
const saysFull = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false;
  if ("code" in error && (error.code === "SQLITE_FULL" || error.code === "53100")) return true;
  return "message" in error && String(error.message).includes("database or disk is full");
};
