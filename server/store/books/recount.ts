import type { Surface } from "@offers/contract/words";
import { type Kysely, sql } from "kysely";
import type { Cell } from "../../core/cell.ts";
import {
  type CounterRow,
  type CounterRows,
  counterRowsOf,
  createCounterFold,
  sumOfUnkept,
} from "../../core/counter-fold.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { type FigureColumn, figureColumns } from "../../core/figures.ts";
import { placementOf, unpackOffers } from "../../core/handed-offers.ts";
import { dateOfDay } from "../../core/utc-day.ts";
import {
  type ClosedSumTable,
  type CounterPublisherTable,
  type CounterTable,
  closedKeys,
  counterKeys,
  type FactTable,
  foreseenDimensions,
  type Schema,
} from "../schema.ts";
import { exactly, wholeRead } from "./exact-column.ts";
import { pagesOf } from "./pages.ts";

/** One count of one cell, or of a sum over cells, that is not what the facts add up to. */
export type Difference = {
  /** A UTC date. */
  day: string;
  /** Null: the sum over the websites of a publisher. */
  websiteId: number | null;
  /** The publisher's number, of such a sum alone. */
  publisher: number | null;
  /** `all`: the sum over the countries. */
  country: string;
  vertical: string;
  surface: Surface;
  test: boolean;
  currency: string;
  count: FigureColumn;
  /** What the table says. */
  recorded: Whole;
  /** What the facts say, and the closing sums of those that are gone. */
  recounted: Whole;
};

/**
 * Counts every fact again, with what is kept of those that were deleted and the refused events that have none, and compares
 * each row of the counters, and of both sums over them, with it: `cells` is how
 * many counters there are on either side. Everything is read at one moment, so it is right while events keep coming.
 * It reads all facts, which takes a while, and holds a row for each counter in memory.
 */
export function recount(db: Kysely<Schema>): Promise<{ cells: number; differences: Difference[] }> {
  return db.transaction().execute(async (tx) => {
    const recounted = await foldFacts(tx);
    let cells = 0;
    const differences: Difference[] = [];
    for (const table of ["counter", "counter_day", "counter_publisher"] as const) {
      const compared = await compare(tx, table, recounted[table]);
      if (table === "counter") cells = compared.rows;
      differences.push(...compared.differences);
    }
    return { cells, differences };
  });
}

/** What ought to stand in the counters. */
const foldFacts = async (db: Kysely<Schema>): Promise<CounterRows> => {
  const [cells, publishers] = [await readCells(db), await readPublishers(db)];
  const fold = createCounterFold();
  for await (const facts of pagesOf<StoredFact>(db, "fact", factKey, factColumns)) {
    for (const { billed_micros: billedMicros, offers, placement, ...fact } of facts) {
      const read = {
        billedMicros,
        offers: offers && unpackOffers(offers),
        placement: placementOf(placement ?? 0),
      };
      fold.add({ ...fact, ...read }, 1);
    }
  }
  for await (const sums of pagesOf<ClosedKey & FiguresRead>(db, "closed_sum", closedKeys.closed_sum, [
    ...closedKeys.closed_sum,
    ...exactFigures.map((figure) => sql`${figure}`),
  ])) {
    for (const sum of sums) {
      fold.addSum({ ...sum, figures: figureColumns.map((column) => wholeRead(sum[column])) });
    }
  }
  for (const unkept of await db.selectFrom("unkept_event").selectAll().execute()) {
    fold.addSum(sumOfUnkept(unkept));
  }
  // What waits to be added to the counters cannot be in them.
  const waiting = await db.selectFrom("counter_delta").select(["cell", "day"]).select(exactFigures).execute();
  for (const { cell, day, ...added } of waiting) {
    fold.addSum({ cell, day, figures: figureColumns.map((column) => -wholeRead(added[column])) });
  }
  return counterRowsOf(fold, {
    cellOf: (id) => cells.get(id) ?? unknownCell(id),
    publisherOf: (websiteId) => publishers.get(websiteId) ?? 0,
  });
};

const factKey = ["request", "offer", "type", "seq"] as const;
const factColumns = [...factKey, "cell", "at", "reason", "billed_micros", "offers", "placement"] as const;
type ClosedKey = Pick<ClosedSumTable, (typeof closedKeys.closed_sum)[number]>;
type StoredFact = Pick<FactTable, (typeof factColumns)[number]>;

const readCells = async (db: Kysely<Schema>): Promise<ReadonlyMap<number, Cell>> => {
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

const unknownCell = (id: number): never => {
  throw new Error(`the database is damaged: a fact has the cell ${id}, which is not there`);
};

type Table = keyof CounterRows;

/** What a row of any of the three tables may be told apart by. */
type Key = Partial<CounterTable & CounterPublisherTable>;

/** The rows of a table beside those that the facts add up to: how many there are on either side, and what differs. */
const compare = async (
  db: Kysely<Schema>,
  table: Table,
  recounted: readonly CounterRow[],
): Promise<{ rows: number; differences: Difference[] }> => {
  const key = counterKeys[table].filter((column) => !Object.hasOwn(foreseenDimensions, column));
  const textOf = (values: readonly unknown[]): string => values.join("\n");
  const expected = new Map(recounted.map((row) => [textOf(row.key), row]));
  let rows = recounted.length;
  const differences: Difference[] = [];
  for await (const page of pagesOf<Key & FiguresRead>(db, table, counterKeys[table], [
    ...counterKeys[table],
    ...exactFigures.map((figure) => sql`${figure}`),
  ])) {
    for (const row of page) {
      const text = textOf(key.map((column) => row[column]));
      const counterpart = expected.get(text);
      if (counterpart === undefined) rows += 1;
      expected.delete(text);
      differences.push(...differencesOf(row, row, counterpart));
    }
  }
  for (const row of expected.values()) {
    const place: Key = Object.fromEntries(key.map((column, index) => [column, row.key[index]]));
    differences.push(...differencesOf(place, undefined, row));
  }
  return { rows, differences: differences.sort(byPlace) };
};

type FiguresRead = Record<FigureColumn, number | string>;

/** The figures of any of the tables, to be read by `wholeRead`. */
const exactFigures = figureColumns.map((column) => exactly(sql.ref(column)).as(column));

const differencesOf = (
  place: Key,
  recorded: FiguresRead | undefined,
  recounted: CounterRow | undefined,
): Difference[] =>
  figureColumns
    .map((count, index) => ({
      day: dateOfDay(place.day ?? 0),
      websiteId: place.website_id ?? null,
      publisher: place.publisher ?? null,
      country: place.country ?? "all",
      vertical: place.vertical ?? "",
      surface: place.surface ?? "overlay",
      test: place.test === 1,
      currency: place.currency ?? "",
      count,
      recorded: wholeRead(recorded?.[count] ?? 0),
      recounted: recounted?.figures[index] ?? 0,
    }))
    .filter((one) => one.recorded !== one.recounted);

const byPlace = (one: Difference, other: Difference): number => {
  const [a, b] = [placeText(one), placeText(other)];
  return a < b ? -1 : a > b ? 1 : 0;
};

const placeText = ({
  day,
  websiteId,
  publisher,
  country,
  vertical,
  surface,
  test,
  currency,
}: Difference): string =>
  [day, String(websiteId ?? publisher).padStart(12, "0"), country, vertical, surface, test, currency].join(
    "\n",
  );
