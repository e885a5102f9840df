import { realFile } from "./real-file.ts";
import { statFile } from "./stat-file.ts";

/** How large a database is in bytes: its file, and its write-ahead log as it stands. */
export function fileSizes(named: string): { bytes: number; logBytes: number } {
  const file = realFile(named);
  return { bytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) };
}

/** A database that is closed has no log. */
const sizeOf = (file: string): number => Number(statFile(file)?.size ?? 0);
