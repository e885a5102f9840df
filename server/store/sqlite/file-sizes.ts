import { statSync } from "node:fs";
import { realFile } from "./real-file.ts";

/** How large a database is in bytes: its file, and its write-ahead log as it stands. */
export function fileSizes(named: string): { bytes: number; logBytes: number } {
  const file = realFile(named);
  return { bytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) };
}

/** A database that is closed has no log. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
