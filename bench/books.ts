import Database from "better-sqlite3";
import { CommandFailed, type Service } from "./service.ts";

/** What the database file itself says, read beside the service and never through it. */
export type Books = {
  billedClicks: number;
  billedMicros: number;
  /** Sum of the ledger's click lines, as a positive amount. */
  ledgerMicros: number;
  ledgerLines: number;
  spendOf: (subject: string) => { micros: number; clicks: number };
  clickReasons: Record<string, number>;
  integrity: string;
};

export async function readBooks(service: Service): Promise<Books> {
  const file = await service.databaseFile();
  return withDatabase(file, (db) => {
    const row = <T>(sql: string, ...values: unknown[]): T => db.prepare(sql).get(...values) as T;
    const billed = row<{ clicks: number; micros: number }>(
      `select count(*) as clicks, coalesce(sum(billed_micros), 0) as micros
       from event where type = 'click' and billed_micros is not null`,
    );
    const ledger = row<{ lines: number; micros: number }>(
      "select count(*) as lines, coalesce(-sum(micros), 0) as micros from ledger_line where kind = 'click'",
    );
    const reasons = db
      .prepare(
        `select coalesce(reason, 'counted') as reason, count(*) as times
         from event where type = 'click' group by 1`,
      )
      .all() as { reason: string; times: number }[];
    const spends = db
      .prepare("select subject, spent_micros as micros, billed_clicks as clicks from spend where day = ''")
      .all() as { subject: string; micros: number; clicks: number }[];
    return {
      billedClicks: billed.clicks,
      billedMicros: billed.micros,
      ledgerMicros: ledger.micros,
      ledgerLines: ledger.lines,
      spendOf: (subject) => spends.find((spend) => spend.subject === subject) ?? { micros: 0, clicks: 0 },
      clickReasons: Object.fromEntries(reasons.map(({ reason, times }) => [reason, times])),
      integrity: row<{ integrity_check: string }>("pragma integrity_check").integrity_check,
    };
  });
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

/** Runs `audit` or `recount`; the empty text when everything adds up, else what differs. */
export async function runCheckCommand(service: Service, command: "audit" | "recount"): Promise<string> {
  try {
    await service.admin(command);
    return "";
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
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
