import { openSqlite } from "../sqlite/open-sqlite.ts";
import { truncateLog } from "../sqlite/truncate-log.ts";

export type SpoolFileOptions = {
  /** Path of the file; its directory exists. */
  file: string;
  /** The id of the database that its lines wait for (decisions.md#spool-of-one-database). */
  database: string;
  /** How large it may become; left out: a gigabyte. */
  megabytes?: number;
};

/** A line as it is stored: the JSON of its entry. */
export type StoredLine = { position: number; text: string };

export type SpoolFile = {
  /** All lines stand above `forgotten`, the last one at `last`. */
  held(): { forgotten: number; last: number };
  /** Adds the members of a JSON array in one transaction; returns the last one's position. */
  add(entries: string): number;
  /** The first `most` lines above a position, and up to which position there are no others. */
  read(after: number, most: number): { lines: StoredLine[]; upTo: number };
  /** Removes the lines up to a position. A file that is large and empty gives its room back. */
  forget(upTo: number): void;
  close(): void;
};

/** Some four million visits, half an hour of 2,000 a second: what lasts longer is no outage of a database any more. */
const mostMegabytes = 1024;
/** Pages of a file that is worth being made small again: 16 MB. */
const largePages = 4096;
const pageBytes = 4096;
/** Of the file's layout. A program that finds a later one leaves the file alone. */
const layout = 1;

/**
 * Opens the file of a spool, and makes it where there is none. Positions grow for good, so two processes may have it
 * open: each then records what it reads, whoever added it. Throws when the file is too new for this program, when it
 * is no spool, when it has lines that wait for another database, or when the disk refuses; with SQLITE_FULL also where
 * it has grown to `megabytes`.
 */
export function openSpoolFile({ file, database, megabytes = mostMegabytes }: SpoolFileOptions): SpoolFile {
  const sqlite = openSqlite({ file, durability: "full", cacheKibibytes: 2048 });
  const found = Number(sqlite.pragma("user_version", { simple: true }));
  if (found > layout) {
    sqlite.close();
    throw new Error(`${file} was written by a later program (layout ${found}, this one knows ${layout})`);
  }
  // Without autoincrement an emptied table would begin again at 1, below what has been read.
  sqlite.exec(
    `create table if not exists line (
       position integer primary key autoincrement,
       entry text not null
     ) strict;
     create table if not exists owner (database text not null) strict;
     pragma user_version = ${layout}`,
  );
  // Behind the tables: a file that a program before has filled gets its owner all the same.
  sqlite.pragma(`max_page_count = ${Math.floor((megabytes * 1024 * 1024) / pageBytes)}`);
  const insert = sqlite.prepare<[string]>("insert into line (entry) values (?)");
  const readLines = sqlite.prepare<[number, number], StoredLine>(
    "select position, entry as text from line where position > ? order by position limit ?",
  );
  const remove = sqlite.prepare<[number]>("delete from line where position <= ?");
  const first = sqlite.prepare<[], number | null>("select min(position) from line").pluck();
  const lastEver = sqlite.prepare<[], number>("select seq from sqlite_sequence where name = 'line'").pluck();
  const last = (): number => lastEver.get() ?? 0;
  const count = sqlite.prepare<[], number>("select count(*) from line").pluck();
  const ownerOf = sqlite.prepare<[], string>("select database from owner").pluck();
  /** An empty one is for whoever opens it; so is one of the programs before, which noted no owner. */
  const own = sqlite.transaction(() => {
    const owner = ownerOf.get();
    if (owner === database) return;
    const waiting = count.get() ?? 0;
    if (owner !== undefined && waiting > 0) throw new Error(ofAnother(file, waiting));
    sqlite.exec("delete from owner");
    sqlite.prepare("insert into owner (database) values (?)").run(database);
  });
  try {
    own.immediate();
  } catch (error) {
    sqlite.close();
    throw error;
  }

  return {
    held: () => ({ forgotten: (first.get() ?? last() + 1) - 1, last: last() }),
    // It reads first, so it takes the lock first: what another process writes in between would refuse it at once otherwise.
    add: sqlite.transaction((entries: string) => {
      // Another process may have made an empty one its own since.
      if (ownerOf.get() !== database) throw new Error(`${file} is another database's by now`);
      const all: unknown[] = JSON.parse(entries);
      for (const entry of all) insert.run(JSON.stringify(entry));
      return last();
    }).immediate,
    read: sqlite.transaction((after: number, most: number) => {
      const lines = readLines.all(after, most);
      return { lines, upTo: lines.length < most ? last() : (lines.at(-1)?.position ?? after) };
    }),
    forget: (upTo) => {
      remove.run(upTo);
      const isLarge = Number(sqlite.pragma("page_count", { simple: true })) > largePages;
      if (!isLarge || first.get() !== null) return;
      sqlite.exec("vacuum");
      truncateLog(sqlite);
    },
    close: () => {
      truncateLog(sqlite);
      sqlite.close();
    },
  };
}

const ofAnother = (file: string, waiting: number): string =>
  `it has visits of another database than DATABASE_URL leads to (${waiting}): start the node on that one until its log ` +
  `says spool_empty, or move ${file}* elsewhere, and they are recorded nowhere`;
