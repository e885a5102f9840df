import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { addSums } from "../../core/counter-fold.ts";
import { addByCell } from "../../core/detail-lines.ts";
import { numbersOf, portionOf } from "../../core/detail-portions.ts";
import type { Whole } from "../../core/exact-sum.ts";
import { createRecent, type Recent } from "../../core/recent.ts";
import { dayOfHour, hoursInDay } from "../../core/utc-day.ts";
import { isPostgres } from "../dialects.ts";
import type { CellTable, CounterTable, DetailDeltaTable, Schema } from "../schema.ts";

/** From which hour on, and up to which without it, as `hourNumber`; and of which websites, or of all. */
type Asked = { from: number; to: number; websites?: readonly { id: number }[] };

/** The lines that wait of some hours: those of the websites, and others. */
export async function readWaitingLines(
  db: Kysely<Schema>,
  { from, to, websites }: Asked,
): Promise<Pick<DetailDeltaTable, "hour" | "lines">[]> {
  const { rows } = await sql<Pick<DetailDeltaTable, "hour" | "lines">>`
    select hour, lines from detail_delta
    where hour >= ${from} and hour < ${to} and ${inPortionsOf(websites)}`.execute(db);
  return rows;
}

/** Each condition is a search of its own; of nearly all portions, all rows are read as soon. */
const fewPortions = 200;

const inPortionsOf = (websites: Asked["websites"]): RawBuilder<SqlBool> => {
  const own = websites && new Set(websites.map(({ id }) => portionOf(id)));
  if (own === undefined || own.size > fewPortions) return sql<SqlBool>`true`;
  const within = [...own].map(numbersOf).map(({ from, to }) => sql`number between ${from} and ${to}`);
  return sql<SqlBool>`(${sql.join([sql`number >= 0`, ...within], sql` or `)})`;
};

type Cell = Selectable<CellTable>;

/** Cells that were read before: one never changes. */
export type ReadCells = Recent<number, Cell>;

/** Those of a round of what waits (sqlite/waiting-sums.ts), some 5 MB at the most. */
export function startReadCells(): ReadCells {
  return createRecent(20_000);
}

/** What of a cell the counters tell apart. */
type CellColumn = keyof CellTable & keyof CounterTable;

/** What is to be added to the counters of a UTC day, for each place that is told apart: in the order of `figureColumns`. */
export type WaitingSum<Column extends CellColumn> = {
  place: Pick<Cell, Column>;
  day: number;
  figures: Whole[];
};

/**
 * What is counted and in no table of counters yet, of some UTC days (as `dayNumber`, both included). In a file that is all lines
 * that wait. On PostgreSQL it is nothing: there lines alone wait, and a batch adds to the counters itself.
 * @param websites left out: all.
 * @param columns by which the cells are told apart.
 * @param isAsked whether a cell of the websites is asked about.
 */
export async function readWaitingSums<Column extends CellColumn>(
  db: Kysely<Schema>,
  {
    firstDay,
    lastDay,
    websites,
    columns,
    isAsked,
  }: {
    firstDay: number;
    lastDay: number;
    websites?: Asked["websites"];
    columns: readonly Column[];
    isAsked: (cell: Cell) => boolean;
  },
  known = startReadCells(),
): Promise<WaitingSum<Column>[]> {
  if (isPostgres(db)) return [];
  const asked = { from: firstDay * hoursInDay, to: (lastDay + 1) * hoursInDay };
  const days = new Map<number, Map<number, Whole[]>>();
  for (const { hour, lines } of await readWaitingLines(db, { ...asked, ...(websites && { websites }) })) {
    const day = dayOfHour(hour);
    const sums = days.get(day) ?? new Map<number, Whole[]>();
    days.set(day, sums);
    addByCell(sums, lines);
  }
  const own = websites && new Set(websites.map(({ id }) => id));
  const waiting: WaitingSum<Column>[] = [];
  for (const [day, ofCells] of days) {
    const cells = await readCells(db, ofCells, known);
    const sums = new Map<string, Whole[]>();
    for (const [id, figures] of ofCells) {
      const cell = cells.get(id);
      if (cell === undefined || own?.has(cell.website_id) === false || !isAsked(cell)) continue;
      let key = "";
      for (const column of columns) key += `${cell[column]}\n`;
      const sum = sums.get(key);
      if (sum === undefined) {
        sums.set(key, figures);
        waiting.push({ place: cell, day, figures });
      } else addSums(sum, figures);
    }
  }
  return waiting;
}

const readCells = async (
  db: Kysely<Schema>,
  ids: ReadonlyMap<number, unknown>,
  known: ReadCells,
): Promise<ReadonlyMap<number, Cell>> => {
  const cells = new Map<number, Cell>();
  const others: number[] = [];
  for (const id of ids.keys()) {
    const cell = known.get(id);
    if (cell === undefined) others.push(id);
    else cells.set(id, cell);
  }
  if (others.length === 0) return cells;
  // As one text: there may be more of them than a statement takes parameters.
  const { rows } = await sql<Cell>`
    select cell.* from json_each(${JSON.stringify(others)}) as asked cross join cell on cell.id = asked.value`.execute(
    db,
  );
  for (const cell of rows) {
    known.set(cell.id, cell);
    cells.set(cell.id, cell);
  }
  return cells;
};
