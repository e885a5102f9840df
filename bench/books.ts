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

/**
 * What counts of each request, one text a half: `request offer served`, `… impression`, and a click's `… beacon` and
 * `… hop`. `doubled`: how many stand there twice.
 */
export function readStoredHalves(file: string): { once: Set<string>; doubled: number } {
  const rows = withDatabase(
    file,
    (db) =>
      db
        .prepare(
          `select request, offer_id, type, beacon_at is not null as beacon, hop_at is not null as hop
           from event where first = 1 and type <> 'blocked'`,
        )
        .all() as { request: string; offer_id: string; type: string; beacon: 0 | 1; hop: 0 | 1 }[],
  );
  const once = new Set<string>();
  let doubled = 0;
  for (const row of rows) {
    const halves =
      row.type === "click" ? [...(row.beacon ? ["beacon"] : []), ...(row.hop ? ["hop"] : [])] : [row.type];
    for (const half of halves) {
      const key = `${row.request} ${row.offer_id} ${half}`;
      if (once.has(key)) doubled += 1;
      once.add(key);
    }
  }
  return { once, doubled };
}

export function countBlocked(file: string): number {
  return withDatabase(
    file,
    (db) => db.prepare("select count(*) from event where type = 'blocked'").pluck().get() as number,
  );
}

/** The ids of all events, as the service's answers name them. */
export function readEventIds(file: string): string[] {
  return withDatabase(file, (db) => db.prepare("select id from event").pluck().all() as string[]);
}

export const eventFigures = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billableClicks",
  "spend",
  "filtered",
] as const;

/** A row of a report with every dimension. */
export type EventSum = Record<"date" | "websiteKey" | "country" | "vertical", string> &
  Record<(typeof eventFigures)[number], number>;

/** What the events alone add up to, as a report would have it; how many there are, and of how many kinds. */
export function readEventSums(file: string): { events: number; kinds: number; cells: EventSum[] } {
  return withDatabase(file, (db) => ({
    events: db.prepare("select count(*) from event").pluck().get() as number,
    kinds: db
      .prepare("select count(distinct type || coalesce(reason, '')) from event")
      .pluck()
      .get() as number,
    cells: db
      .prepare(
        `select event.day as date, website.key as websiteKey, country, event.vertical as vertical,
           sum(type = 'blocked' and reason is null) as blocked, sum(type = 'served' and reason is null) as served,
           sum(type = 'impression' and reason is null) as impressions, sum(type = 'click' and reason is null) as clicks,
           sum(type = 'click' and billed_micros is not null) as billableClicks,
           sum(coalesce(billed_micros, 0)) as spend, sum(reason is not null) as filtered
         from event join website on website.id = event.website_id
         where test = 0 group by 1, 2, 3, 4`,
      )
      .all() as EventSum[],
  }));
}

/** Opens the database for one look and closes it again, so that no reader pins the write-ahead log. */
function withDatabase<T>(file: string, look: (db: Database.Database) => T): T {
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
