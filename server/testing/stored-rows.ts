import BetterSqlite3, { type Database as Sqlite } from "better-sqlite3";
import { eventIdOf, type FactType, factTypes } from "../core/fact.ts";
import { type FigureColumn, figureColumns } from "../core/figures.ts";
import { placementOf, unpackOffers } from "../core/handed-offers.ts";
import { countedOf } from "../store/conformance/counted-rows.ts";
import type { CounterTable } from "../store/schema.ts";
import { countedIn } from "../store/sqlite/counted-for-tests.ts";
import type { RowsAside } from "./rows-aside.ts";

/** Tables of what happened, for a test that begins anew. */
export const trafficTables = [
  "fact",
  "unkept_event",
  "closed_detail",
  "closed_bill",
  "billed_click",
  "billed_network",
  "billed_view",
  "counter",
  "counter_day",
  "counter_publisher",
  "detail",
  "detail_delta",
  "ledger_line",
  "spend",
  "kept_answer",
] as const;

/**
 * Lets a connection read the stored facts as one row for each event: the temporary view `event`, in which requests,
 * clicks and placements are text, an answer is as many rows as it has offers, and `first` is null for a repetition.
 * `arrival` numbers the facts as they came.
 */
export function showEvents(sqlite: Sqlite): void {
  sqlite.function("bytes_text", { deterministic: true }, (bytes: unknown) =>
    bytes instanceof Uint8Array ? Buffer.from(bytes).toString("base64url") : null,
  );
  sqlite.function("placement_text", { deterministic: true }, (number: unknown) =>
    placementOf(Number(number)),
  );
  sqlite.function(
    "type_text",
    { deterministic: true },
    (type: unknown) => typeNames.get(Number(type)) ?? null,
  );
  sqlite.function("event_id", { deterministic: true }, (request, offer, type, seq) =>
    eventIdOf({
      request: String(request),
      offer: Number(offer),
      type: Number(type) as FactType,
      seq: Number(seq),
    }),
  );
  sqlite.table("handed_offers", {
    columns: ["number", "offer_cell", "placement", "position", "payout_model", "price_micros", "role"],
    parameters: ["packed"],
    *rows(packed: unknown) {
      if (!(packed instanceof Uint8Array)) return;
      for (const handed of unpackOffers(packed)) {
        const { offer, cell, placement, position, payoutModel, priceMicros, role } = handed;
        yield [offer, cell, placement, position, payoutModel, role === "unpriced" ? null : priceMicros, role];
      }
    },
  });
  const answers = `(${factTypes.served}, ${factTypes.repeatedAnswer}, ${factTypes.drawn})`;
  // Facts stand in the order of their keys. In which order they came, only a trigger can tell.
  sqlite.exec(`
    create table if not exists arrival
      (number integer primary key autoincrement, request blob, offer integer, type integer, seq integer);
    create unique index if not exists arrival_of on arrival (request, offer, type, seq);
    create trigger if not exists note_arrival after insert on fact begin
      insert into arrival (request, offer, type, seq) values (new.request, new.offer, new.type, new.seq)
      on conflict do nothing;
    end;
    create temp view event as
    select (select number from arrival where arrival.request = happened.request
        and arrival.offer = happened.offer and arrival.type = happened.type and arrival.seq = happened.seq) as arrival,
      event_id(bytes_text(request), happened.offer, happened.type, seq) as id, type_text(happened.type) as type,
      bytes_text(request) as request, case when is_first then 1 end as first, cell.website_id,
      coalesce(offer.id, '') as offer_id, cell.vertical, cell.country, cell.region, cell.surface, happened.placement,
      happened.position, date(happened.at / 1000, 'unixepoch') as day, happened.at, reason, overruled, mark, cell.test,
      cell.currency, happened.price_micros, happened.payout_model, billed_micros, earned_micros,
      bytes_text(click_id) as click_id, happened.at + beacon_after as beacon_at,
      happened.at + hop_after as hop_at, hints as hints_json
    from (
      select request, fact.offer, type, seq, seq = 0 as is_first, cell, at, reason, overruled, mark,
        coalesce(placement_text(fact.placement), handed.placement) as placement,
        coalesce(fact.position, handed.position) as position, handed.price_micros, handed.payout_model, billed_micros, earned_micros,
        beacon_after, hop_after, click_id, hints, coalesce(handed.number, fact.offer) as shown
      from fact left join handed_offers(fact.offers) as handed where type not in (${factTypes.noted}) and type not in ${answers}
      union all
      select request, fact.offer, type, seq, role <> 'repeated', offer_cell, at,
        case when role = 'repeated' then coalesce(reason, 'duplicate') else reason end, null, mark, handed.placement,
        handed.position, handed.price_micros, handed.payout_model, null, null, null, null, null, null, handed.number
      from fact join handed_offers(fact.offers) as handed where type in ${answers}
    ) as happened
    join cell on cell.id = happened.cell
    left join offer on offer.number = happened.shown`);
}

type Row = Record<string, unknown>;
export type EventType = "blocked" | "served" | "drawn" | "impression" | "click";

/** What a test may ask of the stored rows; how they lie is none of its business. */
export type StoredRows = {
  /** Every event, or those of one type, in the order of arrival, as the view `event` shows them. */
  events: (type?: EventType) => Row[];
  /** The counters added up: all of them, or those of one surface, or of test traffic. */
  figures: (of?: { surface?: string; test?: 0 | 1 }) => Record<FigureColumn, number>;
  /** Every decline session, or the one of that id. */
  sessions: (id?: string) => Row[];
  /** Every row of one table as it is; `counted` are the counters with what waits to be added to them. */
  table: (name: string) => Row[];
  /** The names of all tables. */
  tables: () => string[];
};

/** Reads through a connection that `showEvents` has prepared. */
export function readStoredRows(sqlite: Sqlite): StoredRows {
  return storedRows({
    events: () => eventsIn(sqlite),
    table: (name) =>
      name === "counted" ? countedIn(sqlite) : (sqlite.prepare(`select * from "${name}"`).all() as Row[]),
    tables: () =>
      sqlite
        .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
        .pluck()
        .all(),
  });
}

/** Reads a PostgreSQL that `noteArrivals` has prepared. Its events are those of a copy in memory, shown by the same view. */
export function readStoredRowsAside(aside: Pick<RowsAside, "ask">): StoredRows {
  const ask = (statement: string): Row[] => aside.ask(statement)[0] ?? [];
  /** As SQLite has them, by their numbers: otherwise rows come as they were last written. */
  const inOrder = (table: string): string => {
    const keys = ask(`select attname as key from pg_attribute
      where attrelid = '"${table}"'::regclass and attidentity <> ''`);
    const order = keys.length === 0 ? "" : ` order by ${keys.map(({ key }) => `"${key}"`)}`;
    return `select * from "${table}"${order}`;
  };
  const events = (): Row[] => {
    const parts = ["fact", "cell", "offer", "arrival"];
    const answers = aside.ask(...parts.map((name) => `select * from "${name}"`));
    const sqlite = new BetterSqlite3(":memory:");
    try {
      for (const [at, name] of parts.entries()) copyInto(sqlite, name, answers[at] ?? []);
      showEvents(sqlite);
      return eventsIn(sqlite);
    } finally {
      sqlite.close();
    }
  };
  return storedRows({
    events,
    table: (name) => {
      if (name === "event") return events();
      if (name !== "counted") return ask(inOrder(name));
      // No counter waits here.
      return countedOf(ask("select * from counter") as CounterTable[], []);
    },
    tables: () =>
      ask(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and not relispartition and relname <> 'arrival' order by relname`).map(
        ({ name }) => String(name),
      ),
  });
}

/** In which order facts came, by statements for PostgreSQL: there too only a trigger can tell. */
export const noteArrivals = `
  create table if not exists arrival (number bigint generated always as identity,
    request bytea, offer bigint, type bigint, seq bigint, primary key (request, offer, type, seq));
  create or replace function note_arrival() returns trigger language plpgsql as $$
    begin
      insert into arrival (request, offer, type, seq) values (new.request, new.offer, new.type, new.seq)
        on conflict do nothing;
      return null;
    end $$;
  create or replace trigger note_arrival after insert on fact for each row execute function note_arrival()`;

const storedRows = (read: Pick<StoredRows, "table" | "tables"> & { events: () => Row[] }): StoredRows => ({
  table: read.table,
  tables: read.tables,
  events: (type) => read.events().filter((row) => type === undefined || row.type === type),
  figures: (of = {}) => {
    const cells = read
      .table("counted")
      .filter((cell) => Object.entries(of).every(([column, value]) => cell[column] === value));
    const sum = (column: string) => cells.reduce((total, cell) => total + Number(cell[column]), 0);
    return Object.fromEntries(figureColumns.map((column) => [column, sum(column)])) as Record<
      FigureColumn,
      number
    >;
  },
  sessions: (id) => read.table("decline_session").filter((row) => id === undefined || row.id === id),
});

const eventsIn = (sqlite: Sqlite): Row[] =>
  sqlite.prepare("select * from event order by arrival").all() as Row[];

/** The columns that the view reads and that an empty table would not tell. */
const columnsOf: Record<string, readonly string[]> = {
  fact: [
    ...[
      "request",
      "offer",
      "type",
      "seq",
      "cell",
      "at",
      "reason",
      "overruled",
      "mark",
      "placement",
      "position",
    ],
    ...["billed_micros", "earned_micros", "beacon_after", "hop_after", "click_id", "hints", "offers"],
  ],
  cell: ["id", "website_id", "country", "region", "vertical", "surface", "test", "currency"],
  offer: ["number", "id"],
  arrival: ["number", "request", "offer", "type", "seq"],
};

const copyInto = (sqlite: Sqlite, table: string, rows: readonly Row[]): void => {
  const columns = columnsOf[table] ?? [];
  sqlite.exec(`create table "${table}" (${columns})`);
  const insert = sqlite.prepare(`insert into "${table}" values (${columns.map(() => "?")})`);
  sqlite.transaction(() => {
    for (const row of rows) insert.run(columns.map((column) => row[column]));
  })();
};

const typeNames: ReadonlyMap<number, string> = new Map([
  [factTypes.blocked, "blocked"],
  [factTypes.served, "served"],
  [factTypes.repeatedAnswer, "served"],
  [factTypes.impression, "impression"],
  [factTypes.click, "click"],
  [factTypes.drawn, "drawn"],
]);
