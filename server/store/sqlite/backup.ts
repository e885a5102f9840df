import { existsSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { storageTrouble } from "./storage-trouble.ts";

/** The copy and its size; or what is wrong with the file that was named for it. */
export type BackupVerdict = { ok: true; file: string; bytes: number } | { ok: false; message: string };

/**
 * Copies the whole database to `file` while others read and write it (SQLite's online backup): what the copy holds
 * is one moment's state, without the visitors' salts. The file appears under its name only once it is whole and has
 * passed SQLite's own check; an older backup of that name is then replaced.
 */
export async function backUp(sqlite: BetterSqlite3.Database, file: string): Promise<BackupVerdict> {
  const message = targetProblem(sqlite.name, file);
  if (message !== null) return { ok: false, message };
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    // One step: between two of them a commit of another process would make SQLite start from the beginning,
    // and under steady traffic it would never end. In WAL mode nobody waits for it.
    await sqlite.backup(partial, { progress: () => Number.MAX_SAFE_INTEGER });
    finish(partial);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    // The database is only read here, so it is the copy's disk.
    if (storageTrouble(error)?.code === "SQLITE_FULL")
      return { ok: false, message: "has no room on its disk" };
    throw error;
  }
  return { ok: true, file, bytes: statSync(file).size };
}

const targetProblem = (source: string, file: string): string | null => {
  if (!existsSync(dirname(file))) return `no directory ${dirname(file)}`;
  const target = join(realpathSync(dirname(file)), basename(file));
  const own = realpathSync(source);
  if ([own, `${own}-wal`, `${own}-shm`].includes(target)) return "must not be the database itself";
  return existsSync(file) && !statSync(file).isFile() ? "must be a file" : null;
};

/**
 * Takes the visitors' salts and everybody's sessions out of the copy, and checks it. A backup may be kept for years, and whoever holds a salt
 * can find a visitor among the hashes of its day (decisions.md#backup-without-salts).
 */
const finish = (file: string): void => {
  const copy = new BetterSqlite3(file);
  try {
    // One file: no log beside the copy, and no journal that would hold what is being overwritten.
    copy.pragma("journal_mode = memory");
    copy.pragma("secure_delete = 1");
    copy.exec("delete from visitor_salt");
    // Whoever has signed out since must not be signed in again by a restored copy.
    copy.exec("delete from session; delete from sign_in_link");
    const found: unknown = copy.pragma("integrity_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
};
