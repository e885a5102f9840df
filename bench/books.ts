import Database from "better-sqlite3";
import { type CountedFact, countFact, eventIdOf, type FactKey, factTypes } from "../server/core/fact.ts";
import { type FigureName, figures } from "../server/core/figures.ts";
import { placementOf, unpackOffers } from "../server/core/handed-offers.ts";
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
  /** Refused events that are counted and have no row. */
  unkeptEvents: number;
  integrity: string;
};

export async function readBooks(service: Service): Promise<Books> {
  const file = await service.databaseFile();
  return withDatabase(file, (db) => {
    const row = <T>(sql: string, ...values: unknown[]): T => db.prepare(sql).get(...values) as T;
    const billed = row<{ clicks: number; micros: number }>(
      `select count(*) as clicks, coalesce(sum(billed_micros), 0) as micros
       from fact where type = ${factTypes.click} and billed_micros is not null`,
    );
    const ledger = row<{ lines: number; micros: number }>(
      "select count(*) as lines, coalesce(-sum(micros), 0) as micros from ledger_line where kind = 'click'",
    );
    const reasons = db
      .prepare(
        `select coalesce(reason, 'counted') as reason, count(*) as times
         from fact where type = ${factTypes.click} group by 1`,
      )
      .all() as { reason: string; times: number }[];
    const spends = db
      .prepare("select subject, spent_micros as micros, billed_clicks as clicks from spend where day = 0")
      .all() as { subject: string; micros: number; clicks: number }[];
    return {
      billedClicks: billed.clicks,
      billedMicros: billed.micros,
      ledgerMicros: ledger.micros,
      ledgerLines: ledger.lines,
      spendOf: (subject) => spends.find((spend) => spend.subject === subject) ?? { micros: 0, clicks: 0 },
      clickReasons: Object.fromEntries(reasons.map(({ reason, times }) => [reason, times])),
      unkeptEvents: row<{ events: number }>("select coalesce(sum(events), 0) as events from unkept_event")
        .events,
      integrity: row<{ integrity_check: string }>("pragma integrity_check").integrity_check,
    };
  });
}

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

/**
 * What counts of each request, one text a half: `request offer served`, `… impression`, and a click's `… beacon` and
 * `… hop`. `doubled`: how many stand there twice.
 */
export function readStoredHalves(file: string): { once: Set<string>; doubled: number } {
  const once = new Set<string>();
  let doubled = 0;
  const add = (half: string): void => {
    if (once.has(half)) doubled += 1;
    once.add(half);
  };
  withDatabase(file, (db) => {
    const idOf = new Map(db.prepare("select number, id from offer").raw().all() as [number, string][]);
    for (const fact of readFacts(db)) {
      const { request, offer, type, seq, beaconAt, hopAt } = fact;
      for (const { offer: handed, role } of fact.offers ?? []) {
        if (type !== factTypes.blocked && role !== "repeated") add(`${request} ${idOf.get(handed)} served`);
      }
      if (seq > 0) continue;
      if (type === factTypes.impression) add(`${request} ${idOf.get(offer)} impression`);
      if (type === factTypes.click && beaconAt !== null) add(`${request} ${idOf.get(offer)} beacon`);
      if (type === factTypes.click && hopAt !== null) add(`${request} ${idOf.get(offer)} hop`);
    }
  });
  return { once, doubled };
}

export function countBlocked(file: string): number {
  return withDatabase(
    file,
    (db) => db.prepare(`select count(*) from fact where type = ${factTypes.blocked}`).pluck().get() as number,
  );
}

/** What was ever billed to an offer or an advertiser, in micro-units. */
export function readSpentOn(file: string, subject: string): number {
  return withDatabase(
    file,
    (db) =>
      db
        .prepare("select coalesce(sum(spent_micros), 0) from spend where subject = ? and day = 0")
        .pluck()
        .get(subject) as number,
  );
}

/** How many rows there are of click events, each with its fact, and of those that are only counted. */
export function countClickRows(file: string): { facts: number; unkept: number } {
  const count = (db: Database.Database, from: string): number =>
    db.prepare(`select count(*) from ${from}`).pluck().get() as number;
  return withDatabase(file, (db) => ({
    facts: count(db, `fact where type = ${factTypes.click}`),
    unkept: count(db, "unkept_event"),
  }));
}

/** The ids of all events, as the service's answers name them. */
export function readEventIds(file: string): string[] {
  return withDatabase(file, (db) => [...readFacts(db)].map(eventIdOf));
}

export const eventFigures = figures.map(({ name }) => name);

/** A row of a report with every dimension. */
export type EventSum = Record<"date" | "websiteKey" | "country" | "vertical", string> &
  Record<FigureName, number>;

/** What the events alone add up to, as a report would have it; how many there are, and of how many kinds. */
export function readEventSums(file: string): { events: number; kinds: number; cells: EventSum[] } {
  return withDatabase(file, (db) => {
    const cells = readCells(db);
    const sums = new Map<string, EventSum>();
    const kinds = new Set<string>();
    let events = 0;
    for (const fact of readFacts(db)) {
      kinds.add(`${fact.type} ${fact.reason}`);
      countFact(fact, ({ cell: number, hour }, event) => {
        events += 1;
        const cell = cells.get(number);
        if (cell === undefined || cell.test === 1) return;
        const { websiteKey, country, vertical } = cell;
        const date = new Date(hour * 3_600_000).toISOString().slice(0, 10);
        const key = [date, websiteKey, country, vertical].join(" ");
        const sum = sums.get(key) ?? { date, websiteKey, country, vertical, ...noFigures() };
        for (const { name, of } of figures) sum[name] += of(event);
        sums.set(key, sum);
      });
    }
    return { events, kinds: kinds.size, cells: [...sums.values()] };
  });
}

/**
 * How many events are in the books, as the counters have it: at once, where reading all of them holds this thread up for so
 * long that idle connections are closed.
 */
export function countEvents(file: string): number {
  const each = ["blocked", "served", "impressions", "clicks", "drawn", "filtered"].join(" + ");
  return withDatabase(file, (db) =>
    ["counter_day", "counter_delta"]
      .map((table) => db.prepare<[], number | null>(`select sum(${each}) from ${table}`).pluck().get() ?? 0)
      .reduce((sum, events) => sum + events, 0),
  );
}

const noFigures = () =>
  Object.fromEntries(eventFigures.map((name) => [name, 0])) as Record<FigureName, number>;

type StoredFact = FactKey & CountedFact & { beaconAt: number | null; hopAt: number | null };
type StoredRow = Omit<StoredFact, "request" | "offers" | "placement"> & {
  request: Uint8Array;
  offers: Uint8Array | null;
  placement: number | null;
};

function* readFacts(db: Database.Database): Generator<StoredFact> {
  const rows = db
    .prepare(
      `select request, offer, type, seq, cell, at, reason, placement, billed_micros as billedMicros,
         earned_micros as earnedMicros, beacon_at as beaconAt, hop_at as hopAt, offers from fact`,
    )
    .iterate() as Iterable<StoredRow>;
  for (const row of rows) {
    yield {
      ...row,
      placement: placementOf(row.placement ?? 0),
      request: Buffer.from(row.request).toString("base64url"),
      offers: row.offers === null ? null : unpackOffers(row.offers),
    };
  }
}

type StoredCell = { id: number; websiteKey: string; country: string; vertical: string; test: 0 | 1 };

const readCells = (db: Database.Database): Map<number, StoredCell> => {
  const rows = db
    .prepare(
      `select cell.id, website.key as websiteKey, country, cell.vertical as vertical, test
       from cell join website on website.id = cell.website_id`,
    )
    .all() as StoredCell[];
  return new Map(rows.map((cell) => [cell.id, cell]));
};

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
