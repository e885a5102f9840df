import type { DeviceClass, Placement, Surface } from "@offers/contract/words";
import { type Kysely, sql } from "kysely";
import type { CounterRow, CounterRows } from "../../core/counter-fold.ts";
import { type DetailLine, unpackLines } from "../../core/detail-lines.ts";
import { deviceOf } from "../../core/device-class.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { type FigureColumn, figureColumns } from "../../core/figures.ts";
import { placementOf } from "../../core/handed-offers.ts";
import { dateOfDay, dayOfHour, hoursInDay } from "../../core/utc-day.ts";
import { atOneMoment } from "../dialects.ts";
import {
  type CounterPublisherTable,
  type CounterTable,
  counterKeys,
  type DetailTable,
  type Schema,
} from "../schema.ts";
import { exactFigures, wholeRead } from "./exact-column.ts";
import { pagesOf } from "./pages.ts";
import { cellOf, hourKey, type KnownCells, type RecountedBooks, recountBooks } from "./recounted-books.ts";

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
    const recounted = await recountBooks(tx);
    let cells = 0;
    const differences: Difference[] = [];
    for (const table of ["counter", "counter_day", "counter_publisher"] as const) {
      const compared = await compareCounters(tx, table, recounted.counters[table]);
      if (table === "counter") cells = compared.rows;
      differences.push(...compared.differences);
    }
    differences.push(...(await compareLines(tx, recounted)));
    return { cells, differences };
  });
}

type Table = keyof CounterRows;

/** What a row of any of the three tables may be told apart by. */
type Key = Partial<CounterTable & CounterPublisherTable>;

/** The rows of a table beside those that the facts add up to: how many there are on either side, and what differs. */
const compareCounters = async (
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

/** The lines beside those that the facts add up to. */
const compareLines = async (
  db: Kysely<Schema>,
  { cells, hours }: Pick<RecountedBooks, "cells" | "hours">,
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for await (const page of pagesOf<DetailTable>(
    db,
    "detail",
    ["website_id", "hour"],
    ["website_id", "hour", "lines"],
  )) {
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
    const { websiteId, country, region, vertical, surface, test, currency, device } = cellOf(
      cells,
      line.cell,
    );
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
