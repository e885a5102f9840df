import { promises } from "node:fs";
import { dirname } from "node:path";
import { realFile } from "./real-file.ts";

/** How much room a database takes, with its log, and how much is left on its disk; in bytes. */
export type DiskRoom = { freeBytes: number; totalBytes: number; databaseBytes: number };

/** Null where the system does not say. `freeBytes` is what a program that is not root may write. */
export async function readDiskRoom(named: string): Promise<DiskRoom | null> {
  try {
    const file = realFile(named);
    const disk = await promises.statfs(dirname(file));
    const sizes = await Promise.all([file, `${file}-wal`].map(sizeOf));
    return {
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
      databaseBytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  } catch {
    return null;
  }
}

/** Without its log a database is as large as its file. */
const sizeOf = (file: string): Promise<number> =>
  promises.stat(file).then(
    ({ size }) => size,
    () => 0,
  );
