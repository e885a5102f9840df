import type { Database as Sqlite } from "better-sqlite3";
import type { EventTable } from "../schema.ts";

export type EventRow = EventTable;

/** The three events that one offer of one request can have, as they stand now. */
export type FirstEvents = {
  /** Or the server's decision that handed the offer out. */
  served: EventRow | null;
  impression: EventRow | null;
  click: EventRow | null;
};

export type EventRows = {
  /** Writes a row; false when it claims to be a first one and there is one already. */
  insert(row: EventRow): boolean;
  /** Writes all columns of the row that has this id. */
  replace(row: EventRow): void;
  remove(row: EventRow): void;
  firstOf(request: string, offerId: string): FirstEvents;
  /** Whether a click on the offer by one of these two visitor hashes was billed after `since` (milliseconds). */
  hasBilledClick(visitors: readonly [string, string], offerId: string, since: number): boolean;
};

const columns = [
  "type",
  "request",
  "first",
  "website_id",
  "offer_id",
  "vertical",
  "country",
  "region",
  "surface",
  "placement",
  "position",
  "day",
  "at",
  "reason",
  "overruled",
  "mark",
  "test",
  "visitor",
  "price_micros",
  "payout_model",
  "billed_micros",
  "click_id",
  "beacon_at",
  "hop_at",
  "hints_json",
  // Last, so that an update can bind the same values in the same order.
  "id",
] as const satisfies readonly (keyof EventRow)[];

/** Prepares the statements on single event rows; each runs inside the caller's transaction. */
export function prepareEventRows(sqlite: Sqlite): EventRows {
  const places = columns.map(() => "?").join(", ");
  const insert = sqlite.prepare(
    `insert into event (${columns.join(", ")}) values (${places})
     on conflict (request, offer_id, first, type) do nothing`,
  );
  const setters = columns.slice(0, -1).map((column) => `${column} = ?`);
  const replace = sqlite.prepare(`update event set ${setters.join(", ")} where id = ?`);
  const remove = sqlite.prepare("delete from event where id = ?");
  const firstOf = sqlite.prepare<[string, string], EventRow>(
    `select ${columns.join(", ")} from event where request = ? and offer_id = ? and first = 1`,
  );
  const billedClick = sqlite.prepare(
    `select 1 from event
     where visitor in (?, ?) and offer_id = ? and at > ? and type = 'click' and billed_micros is not null
     limit 1`,
  );
  return {
    insert: (row) => insert.run(...valuesOf(row)).changes === 1,
    replace: (row) => void replace.run(...valuesOf(row)),
    remove: (row) => void remove.run(row.id),
    firstOf: (request, offerId) => {
      const rows = firstOf.all(request, offerId);
      const of = (type: EventRow["type"]) => rows.find((row) => row.type === type) ?? null;
      return { served: of("served") ?? of("blocked"), impression: of("impression"), click: of("click") };
    },
    hasBilledClick: (visitors, offerId, since) => billedClick.get(...visitors, offerId, since) !== undefined,
  };
}

const valuesOf = (row: EventRow): EventRow[keyof EventRow][] => columns.map((column) => row[column]);
