import type { Kysely } from "kysely";
import type { Cell } from "../../core/cell.ts";
import {
  type CounterRows,
  counterRowsOf,
  createCounterFold,
  type DaySum,
  daySums,
  type FoldedSum,
  sumOfUnkept,
} from "../../core/counter-fold.ts";
import { addLines, detailHours, unpackLines } from "../../core/detail-lines.ts";
import { momentAfter } from "../../core/fact.ts";
import { placementOf, unpackOffers } from "../../core/handed-offers.ts";
import { isPostgres } from "../dialects.ts";
import type { DetailTable, FactTable, Schema, UnkeptEventTable } from "../schema.ts";
import { pagesOf } from "./pages.ts";

/** What the tables ought to hold: what waits to be added to them cannot be in them. */
export type RecountedBooks = {
  cells: KnownCells;
  counters: CounterRows;
  /** The lines of each hour of a website, packed, by both (`hourKey`). */
  hours: Hours;
};

/** The cells that there are, by their numbers. */
export type KnownCells = ReadonlyMap<number, Cell>;
export type Hours = Map<string, Pick<DetailTable, "hour"> & { websiteId: number; lines: Uint8Array }>;

/** Adds all facts up, with what is kept of those that were deleted, and the refused events that have none. */
export async function recountBooks(db: Kysely<Schema>): Promise<RecountedBooks> {
  const cells = await readCells(db);
  const hours = await foldFacts(db, cells);
  const waiting = (await db.selectFrom("detail_delta").selectAll().execute()).map(takenOf);
  // In a file the counters wait with the lines. A batch on PostgreSQL adds to the counters itself.
  const counters = await countersOf(db, cells, hours, isPostgres(db) ? [] : waiting);
  for (const taken of waiting) addTo(hours, taken, cells);
  return { cells, counters, hours };
}

/** The key of a website's hour in a map of all hours. */
export function hourKey(websiteId: number, hour: number): string {
  return `${websiteId} ${hour}`;
}

/** The cell of a fact or a line. Throws where there is none: the database is damaged. */
export function cellOf(cells: KnownCells, id: number): Cell {
  const cell = cells.get(id);
  if (cell === undefined) {
    throw new Error(`the database is damaged: a fact has the cell ${id}, which is not there`);
  }
  return cell;
}

/** What all facts add up to. */
const foldFacts = async (db: Kysely<Schema>, cells: KnownCells): Promise<Hours> => {
  const hours: Hours = new Map();
  for await (const facts of pagesOf<StoredFact>(db, "fact", factKey, factColumns)) {
    const fold = createCounterFold();
    for (const { billed_micros, earned_micros, hop_after, offers, placement, ...fact } of facts) {
      const read = {
        billedMicros: billed_micros,
        earnedMicros: earned_micros,
        hopAt: momentAfter(fact.at, hop_after),
        offers: offers && unpackOffers(offers),
        placement: placementOf(placement ?? 0),
      };
      fold.add({ ...fact, ...read }, 1);
    }
    addTo(hours, fold.sums(), cells);
  }
  for await (const closed of pagesOf<DetailTable>(
    db,
    "closed_detail",
    ["website_id", "hour"],
    detailColumns,
  )) {
    for (const { hour, lines } of closed) addTo(hours, sumsOf(hour, lines), cells);
  }
  for await (const unkept of pagesOf<UnkeptEventTable>(db, "unkept_event", unkeptKey, unkeptColumns)) {
    addTo(hours, unkept.map(sumOfUnkept), cells);
  }
  return hours;
};

const addTo = (hours: Hours, sums: Iterable<FoldedSum>, cells: KnownCells): void => {
  const websiteOf = (cell: number) => cellOf(cells, cell).websiteId;
  for (const { websiteId, hour, lines } of detailHours(sums, websiteOf)) {
    const key = hourKey(websiteId, hour);
    const added = addLines(hours.get(key)?.lines ?? null, lines);
    if (added === null) hours.delete(key);
    else hours.set(key, { websiteId, hour, lines: added });
  }
};

/** The rows of the counters and of both sums over them, without what waits for them. */
const countersOf = async (
  db: Kysely<Schema>,
  cells: KnownCells,
  hours: Hours,
  waiting: readonly (readonly FoldedSum[])[],
): Promise<CounterRows> => {
  const publishers = await readPublishers(db);
  const sums = function* (): Generator<DaySum> {
    for (const { hour, lines } of hours.values()) yield* daySums(sumsOf(hour, lines));
    for (const taken of waiting) yield* daySums(taken);
  };
  return counterRowsOf(sums(), {
    cellOf: (id) => cellOf(cells, id),
    publisherOf: (websiteId) => publishers.get(websiteId) ?? 0,
  });
};

/** What waits, to be taken away: it is in no table of hours yet. */
const takenOf = ({ hour, lines }: Pick<DetailTable, "hour" | "lines">): FoldedSum[] =>
  sumsOf(hour, lines).map((sum) => ({ ...sum, figures: sum.figures.map((figure) => -figure) }));

const sumsOf = (hour: number, lines: Uint8Array): FoldedSum[] =>
  [...unpackLines(lines)].map((line) => ({ ...line, hour }));

const readCells = async (db: Kysely<Schema>): Promise<KnownCells> => {
  const rows = await db.selectFrom("cell").selectAll().execute();
  return new Map(
    rows.map(({ id, website_id: websiteId, test, ...cell }) => [
      id,
      { ...cell, websiteId, test: test === 1 },
    ]),
  );
};

const readPublishers = async (db: Kysely<Schema>): Promise<ReadonlyMap<number, number>> => {
  const rows = await db
    .selectFrom("website")
    .innerJoin("publisher", "publisher.id", "website.publisher_id")
    .select(["website.id", "publisher.number"])
    .execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
};

const detailColumns = ["website_id", "hour", "lines"] as const;
const unkeptKey = ["cell", "hour", "offer", "placement"] as const;
const unkeptColumns = [...unkeptKey, "events"] as const;

const factKey = ["request", "offer", "type", "seq"] as const;
const money = ["billed_micros", "earned_micros"] as const;
const factColumns = [
  ...factKey,
  "cell",
  "at",
  "reason",
  ...money,
  "hop_after",
  "offers",
  "placement",
] as const;
type StoredFact = Pick<FactTable, (typeof factColumns)[number]>;
