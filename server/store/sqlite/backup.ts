import { existsSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { CatalogueRefusal } from "../catalogue/catalogue-refusal.ts";

export type Backup = {
  file: string;
  /** Of the copy. */
  bytes: number;
};

/**
 * Copies the whole database to `file` while others read and write it (SQLite's online backup): what the copy holds
 * is one moment's state. The file appears under its name only once it is whole and has passed SQLite's own check;
 * an older backup of that name is then replaced. Throws a CatalogueRefusal when it cannot be written there.
 */
export async function backUp(sqlite: BetterSqlite3.Database, file: string): Promise<Backup> {
  refuseTarget(sqlite.name, file);
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    // One step: between two of them a commit of another process would make SQLite start from the beginning,
    // and under steady traffic it would never end. In WAL mode nobody waits for it.
    await sqlite.backup(partial, { progress: () => Number.MAX_SAFE_INTEGER });
    check(partial);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return { file, bytes: statSync(file).size };
}

const refuseTarget = (source: string, file: string): void => {
  const refuse = (message: string): never => {
    throw new CatalogueRefusal([{ field: "to", message }]);
  };
  if (!existsSync(dirname(file))) refuse(`no directory ${dirname(file)}`);
  const target = join(realpathSync(dirname(file)), basename(file));
  const own = realpathSync(source);
  if ([own, `${own}-wal`, `${own}-shm`].includes(target)) refuse("must not be the database itself");
  if (existsSync(file) && !statSync(file).isFile()) refuse("must be a file");
};

const check = (file: string): void => {
  const copy = new BetterSqlite3(file, { readonly: true });
  try {
    const found: unknown = copy.pragma("integrity_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
};
