import Database from "better-sqlite3";

/** What only a database in one file can be asked. */
export function countFacts(file: string): number {
  return withDatabase(file, (db) => db.prepare("select count(*) from fact").pluck().get() as number);
}

/** When the event of the oldest request took place, in milliseconds since the epoch. */
export function oldestFactAt(file: string): number {
  return withDatabase(
    file,
    (db) => db.prepare("select at from fact order by request limit 1").pluck().get() as number,
  );
}

/** What the database says of its own pages. */
export function readIntegrity(file: string): string {
  return withDatabase(file, (db) => db.pragma("integrity_check", { simple: true }) as string);
}

/** Bytes of the database that hold something, the write-ahead log's included. */
export function usedBytes(file: string): number {
  return withDatabase(file, (db) => {
    const number = (name: string) => db.pragma(name, { simple: true }) as number;
    return (number("page_count") - number("freelist_count")) * number("page_size");
  });
}

/** What each table and index takes, the largest first. */
export function tableSizes(file: string): { name: string; bytes: number }[] {
  return withDatabase(
    file,
    (db) =>
      db.prepare("select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc").all() as {
        name: string;
        bytes: number;
      }[],
  );
}

/** Opens the database for one look and closes it again, so that no reader pins the write-ahead log. */
export function withDatabase<T>(file: string, look: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
