import type { DeviceClass, Placement, Surface } from "@offers/contract/words";
import { type Kysely, sql } from "kysely";
import type { Cell } from "../../core/cell.ts";
import {
  type CounterRow,
  type CounterRows,
  counterRowsOf,
  createCounterFold,
  type DaySum,
  daySums,
  type FoldedSum,
  sumOfUnkept,
} from "../../core/counter-fold.ts";
import { addLines, type DetailLine, detailHours, unpackLines } from "../../core/detail-lines.ts";
import { deviceOf } from "../../core/device-class.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { type FigureColumn, figureColumns } from "../../core/figures.ts";
import { placementOf, unpackOffers } from "../../core/handed-offers.ts";
import { dateOfDay, dayOfHour, hoursInDay } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import {
  type CounterPublisherTable,
  type CounterTable,
  counterKeys,
  type DetailTable,
  type FactTable,
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
  /** Of a line alone, which is as fine as reports are. */
  detail: DetailPlace | null;
  count: FigureColumn;
  /** What the table says. */
  recorded: Whole;
  /** What the facts say, and the closing sums of those that are gone. */
  recounted: Whole;
};

/** What a line of an hour tells apart beside a counter's key. */
export type DetailPlace = {
  /** Of the UTC day. */
  hour: number;
  /** The bare code; `""`: not known. */
  region: string;
  device: DeviceClass | null;
  /** The offer's number; 0: none. */
  offer: number;
  placement: Placement | null;
};

/**
 * Counts every fact again, with what is kept of those that were deleted and the refused events that have none, and
 * compares with it each row of the counters, of both sums over them, and each line of the hours: `cells` is how many
 * counters there are on either side. Everything is read at one moment, so it is right while events keep coming. It reads
 * all facts, which takes a while, and holds a row for each counter and all lines, packed, in memory.
 */
export function recount(db: Kysely<Schema>): Promise<{ cells: number; differences: Difference[] }> {
  return atOneMoment(db, async (tx) => {
    const known = await readCells(tx);
    const hours = await foldFacts(tx, known);
    const recounted = await countersOf(tx, known, hours);
    let cells = 0;
    const differences: Difference[] = [];
    for (const table of ["counter", "counter_day", "counter_publisher"] as const) {
      const compared = await compare(tx, table, recounted[table]);
      if (table === "counter") cells = compared.rows;
      differences.push(...compared.differences);
    }
    differences.push(...(await compareDetail(tx, known, hours)));
    return { cells, differences };
  });
}

/** The lines of each hour of a website, packed, by both. */
type Hours = Map<string, Pick<DetailTable, "hour"> & { websiteId: number; lines: Uint8Array }>;
type KnownCells = ReadonlyMap<number, Cell>;

/** What all facts add up to. */
const foldFacts = async (db: Kysely<Schema>, cells: KnownCells): Promise<Hours> => {
  const hours: Hours = new Map();
  for await (const facts of pagesOf<StoredFact>(db, "fact", factKey, factColumns)) {
    const fold = createCounterFold();
    for (const { billed_micros, earned_micros, offers, placement, ...fact } of facts) {
      const read = {
        billedMicros: billed_micros,
        earnedMicros: earned_micros,
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
  const unkept = await db.selectFrom("unkept_event").selectAll().execute();
  addTo(hours, unkept.map(sumOfUnkept), cells);
  return hours;
};

const addTo = (hours: Hours, sums: Iterable<FoldedSum>, cells: KnownCells): void => {
  const websiteOf = (cell: number) => (cells.get(cell) ?? unknownCell(cell)).websiteId;
  for (const { websiteId, hour, lines } of detailHours(sums, websiteOf)) {
    const key = hourKey(websiteId, hour);
    const added = addLines(hours.get(key)?.lines ?? null, lines);
    if (added === null) hours.delete(key);
    else hours.set(key, { websiteId, hour, lines: added });
  }
};

const hourKey = (websiteId: number, hour: number): string => `${websiteId} ${hour}`;

/** What ought to stand in the counters: what waits to be added to them cannot be in them. */
const countersOf = async (db: Kysely<Schema>, cells: KnownCells, hours: Hours): Promise<CounterRows> => {
  const publishers = await readPublishers(db);
  const waiting = await db
    .selectFrom("counter_delta")
    .select(["cell", "day"])
    .select(exactFigures(db))
    .execute();
  const sums = function* (): Generator<DaySum> {
    for (const { hour, lines } of hours.values()) yield* daySums(sumsOf(hour, lines));
    for (const { cell, day, ...added } of waiting) {
      yield { cell, day, figures: figureColumns.map((column) => -wholeRead(added[column])) };
    }
  };
  return counterRowsOf(sums(), {
    cellOf: (id) => cells.get(id) ?? unknownCell(id),
    publisherOf: (websiteId) => publishers.get(websiteId) ?? 0,
  });
};

const sumsOf = (hour: number, lines: Uint8Array): FoldedSum[] =>
  [...unpackLines(lines)].map((line) => ({ ...line, hour }));

/** The lines beside those that the facts add up to, without those that wait. */
const compareDetail = async (db: Kysely<Schema>, cells: KnownCells, hours: Hours): Promise<Difference[]> => {
  for (const { hour, lines } of await db.selectFrom("detail_delta").selectAll().execute()) {
    const taken = sumsOf(hour, lines).map((sum) => ({
      ...sum,
      figures: sum.figures.map((figure) => -figure),
    }));
    addTo(hours, taken, cells);
  }
  const differences: Difference[] = [];
  for await (const page of pagesOf<DetailTable>(db, "detail", ["website_id", "hour"], detailColumns)) {
    for (const { website_id: websiteId, hour, lines } of page) {
      const expected = hours.get(hourKey(websiteId, hour))?.lines;
      hours.delete(hourKey(websiteId, hour));
      // The same lines are the same bytes.
      if (expected !== undefined && Buffer.compare(lines, expected) === 0) continue;
      differences.push(...lineDifferences({ hour, lines, expected }, cells));
    }
  }
  for (const { hour, lines } of hours.values()) {
    differences.push(...lineDifferences({ hour, lines: undefined, expected: lines }, cells));
  }
  return differences.sort(byPlace);
};

const detailColumns = ["website_id", "hour", "lines"] as const;

const lineDifferences = (
  {
    hour,
    lines,
    expected,
  }: { hour: number; lines: Uint8Array | undefined; expected: Uint8Array | undefined },
  cells: KnownCells,
): Difference[] => {
  const keyOf = ({ cell, offer, placement }: DetailLine): string => `${cell} ${offer} ${placement}`;
  const linesOf = (bytes: Uint8Array | undefined): Map<string, DetailLine> =>
    new Map(bytes && [...unpackLines(bytes)].map((line) => [keyOf(line), line]));
  const [recorded, recounted] = [linesOf(lines), linesOf(expected)];
  return [...new Map([...recorded, ...recounted])].flatMap(([key, line]) => {
    const { websiteId, country, region, vertical, surface, test, currency, device } =
      cells.get(line.cell) ?? unknownCell(line.cell);
    const day = dayOfHour(hour);
    const detail = {
      ...{ hour: hour - day * hoursInDay, region, device: deviceOf(device) },
      ...{ offer: line.offer, placement: placementOf(line.placement) },
    };
    const place = { websiteId, publisher: null, country, vertical, surface, test, currency, detail };
    return figureColumns
      .map((count, index) => ({
        ...{ day: dateOfDay(day), ...place, count },
        recorded: recorded.get(key)?.figures[index] ?? 0,
        recounted: recounted.get(key)?.figures[index] ?? 0,
      }))
      .filter((one) => one.recorded !== one.recounted);
  });
};

const factKey = ["request", "offer", "type", "seq"] as const;
const money = ["billed_micros", "earned_micros"] as const;
const factColumns = [...factKey, "cell", "at", "reason", ...money, "offers", "placement"] as const;
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
  const key = counterKeys[table];
  const textOf = (values: readonly unknown[]): string => values.join("\n");
  const expected = new Map(recounted.map((row) => [textOf(row.key), row]));
  let rows = recounted.length;
  const differences: Difference[] = [];
  for await (const page of pagesOf<Key & FiguresRead>(db, table, counterKeys[table], [
    ...counterKeys[table],
    ...exactFigures(db).map((figure) => sql`${figure}`),
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
const exactFigures = (db: Kysely<Schema>) =>
  figureColumns.map((column) => exactly(db, sql.ref(column)).as(column));

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
      detail: null,
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
