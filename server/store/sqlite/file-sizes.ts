import { statSync } from "node:fs";

/** How large a database is in bytes: its file, and its write-ahead log as it stands. */
export function fileSizes(file: string): { bytes: number; logBytes: number } {
  return { bytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) };
}

/** A database that is closed has no log. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
