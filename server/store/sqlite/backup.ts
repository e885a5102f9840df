import { existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { dayMs } from "../../core/utc-day.ts";
import { isRunning } from "../is-running.ts";
import { storageTrouble } from "./storage-trouble.ts";

/** The copy and its size; or what is wrong with the file that was named for it. */
export type BackupVerdict = { ok: true; file: string; bytes: number } | { ok: false; message: string };

/**
 * Copies the whole database to `file` while others read and write it (SQLite's online backup): what the copy holds
 * is one moment's state, without the visitors' salts. The file appears under its name only once it is whole and has
 * passed SQLite's own check; an older backup of that name is then replaced. Until then it lies beside it under a name
 * with this process's number, which is removed when the process is ended by a signal, or else by the next backup.
 */
export async function backUp(sqlite: BetterSqlite3.Database, file: string): Promise<BackupVerdict> {
  const message = targetProblem(sqlite.name, file);
  if (message !== null) return { ok: false, message };
  const partial = `${file}.${process.pid}.partial`;
  const release = removeWhenEnded(partial);
  try {
    removeLeftovers(file);
    // The salts are in it before they are taken out, so nobody else may read it meanwhile.
    writeFileSync(partial, "", { mode: 0o600 });
    // One step: between two of them a commit of another process would make SQLite start from the beginning,
    // and under steady traffic it would never end. In WAL mode nobody waits for it.
    await sqlite.backup(partial, { progress: () => Number.MAX_SAFE_INTEGER });
    await signalsAreHeard();
    const damage = finish(partial);
    if (damage !== null) {
      const message = `the copy is damaged: ${damage}; if one on another disk is as well, the database itself is`;
      return { ok: false, message };
    }
    await signalsAreHeard();
    const { size } = statSync(partial);
    renameSync(partial, file);
    return { ok: true, file, bytes: size };
  } catch (error) {
    const message = copyTrouble(error);
    if (message !== null) return { ok: false, message };
    throw error;
  } finally {
    remove(partial);
    release();
  }
}

const targetProblem = (source: string, file: string): string | null => {
  if (!existsSync(dirname(file))) return `no directory ${dirname(file)}`;
  const target = join(realpathSync(dirname(file)), basename(file));
  const own = realpathSync(source);
  if ([own, `${own}-wal`, `${own}-shm`].includes(target)) return "must not be the database itself";
  return existsSync(file) && !statSync(file).isFile() ? "must be a file" : null;
};

/** What an error says of the disk of the copy; null where it is not about that. */
const copyTrouble = (error: unknown): string | null => {
  const code = storageTrouble(error)?.code;
  if (code === "SQLITE_FULL") return noRoom;
  // The database is only read, so whoever could not write or open a file speaks of the copy.
  if (code !== undefined) return isOfReading(code) ? null : `cannot be written (${code})`;
  const { code: ofFile, syscall } = error as NodeJS.ErrnoException;
  if (ofFile === "ENOSPC" || ofFile === "EDQUOT") return noRoom;
  return syscall === undefined ? null : `cannot be written (${ofFile})`;
};

const noRoom = "has no room on its disk";

const isOfReading = (code: string): boolean =>
  /^SQLITE_(?:BUSY|LOCKED|PROTOCOL|NOMEM)/.test(code) || isDamage(code);

const isDamage = (code: string): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) || /^SQLITE_IOERR(?:_.*READ.*)?$/.test(code);

/**
 * Takes the visitors' salts, everybody's sessions, partners' connections and decline sessions out of the copy, and
 * checks it. A backup may be kept for years, and whoever holds a salt can find a visitor among the hashes of its day
 * (decisions.md#backup-without-salts).
 * @returns what is wrong with it; null: nothing.
 */
const finish = (file: string): string | null => {
  const copy = new BetterSqlite3(file, { fileMustExist: true });
  try {
    // One file: no log beside the copy, and no journal that would hold what is being overwritten.
    copy.pragma("journal_mode = memory");
    copy.pragma("secure_delete = 1");
    copy.exec("delete from visitor_salt");
    // Whoever has signed out since, or has ended a partner's connection, must not find it open by a restored copy.
    copy.exec(
      "delete from session; delete from sign_in_link; delete from oauth_row; delete from oauth_grant",
    );
    // Its triggers count what is left.
    copy.exec("delete from decline_session");
    const found: unknown = copy.pragma("integrity_check", { simple: true });
    return found === "ok" ? null : String(found);
  } catch (error) {
    const code = storageTrouble(error)?.code;
    if (code === undefined || !isDamage(code)) throw error;
    // Only the copy is read here.
    return `${error instanceof Error ? error.message : String(error)} (${code})`;
  } finally {
    copy.close();
  }
};

/** Two backups to one name are two processes: each has a copy of its own, and what a process has left that is no more goes. */
const removeLeftovers = (file: string): void => {
  const start = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(start)) continue;
    const match = /^(?:(?<pid>\d+)\.)?partial(?:-journal|-wal|-shm)?$/.exec(name.slice(start.length));
    if (match === null) continue;
    // Programs of earlier days gave it no number; whatever they left holds salts and sessions.
    const pid = Number(match.groups?.pid ?? process.pid);
    const partial = join(dirname(file), name);
    if (pid === process.pid || !isRunning(pid) || isOld(partial)) rmSync(partial, { force: true });
  }
};

/** No backup takes a day: the number that the file names is another process's by now, as after a power cut. */
const isOld = (partial: string): boolean => {
  const written = statSync(partial, { throwIfNoEntry: false });
  return written !== undefined && Date.now() - written.mtimeMs > dayMs;
};

/** Removes a copy that was begun, and what SQLite may have put beside it. What cannot be removed now is left to the next backup. */
const remove = (partial: string): void => {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) {
    try {
      rmSync(`${partial}${suffix}`, { force: true });
    } catch {
      // Why the backup failed is told, and is more to the point.
    }
  }
};

/** Removes the file before a signal ends the process as it would have; call what is returned once the file is gone. */
const removeWhenEnded = (partial: string): (() => void) => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const release = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    remove(partial);
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, end);
  return release;
};

/** Copying blocks the thread. Node hears of a signal between two turns of its event loop, so one of them has to pass whole. */
const signalsAreHeard = (): Promise<void> =>
  new Promise((resume) => setImmediate(() => setImmediate(resume)));
