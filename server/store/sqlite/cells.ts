import type { Database as Sqlite } from "better-sqlite3";
import { type Cell, isSameCell } from "../../core/cell.ts";
import { createCellNumbers } from "../../core/cell-numbers.ts";
import { createRecent } from "../../core/recent.ts";
import type { Cells } from "../journal/recording.ts";
import type { CellTable } from "../schema.ts";

/** The cells of some seconds: a busy service has that many websites times countries. */
const remembered = 50_000;

export type KnownCells = Cells & {
  /** Forgets what it remembers: a transaction that gave numbers to cells was undone. */
  forget(): void;
};

/** Prepares the dictionary of cells. What it remembers stays right, for a cell's number never changes. */
export function prepareCells(sqlite: Sqlite): KnownCells {
  const find = sqlite
    .prepare<(string | number)[], number>(
      `select id from cell where website_id = +? and country = +? and region = +? and vertical = +? and surface = +?
         and test = +? and currency = +? and device = +?`,
    )
    .pluck();
  const insert = sqlite.prepare(
    `insert into cell (website_id, country, region, vertical, surface, test, currency, device)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const read = sqlite.prepare<[number], CellTable>("select * from cell where id = +?");
  const numbers = createCellNumbers(remembered);
  const cells = createRecent<number, Cell>(remembered);

  /** Of the last question: the offers of one answer share their cell as a rule. */
  let last: { cell: Cell; number: number } | null = null;
  const numberOf = (cell: Cell): number => {
    if (last === null || !isSameCell(last.cell, cell)) last = { cell, number: findNumber(cell) };
    return last.number;
  };
  const findNumber = (cell: Cell): number => {
    const known = numbers.numberOf(cell);
    if (known !== undefined) return known;
    const { websiteId, country, region, vertical, surface, test, currency, device } = cell;
    const values = [websiteId, country, region, vertical, surface, test ? 1 : 0, currency, device];
    const number = find.get(...values) ?? Number(insert.run(...values).lastInsertRowid);
    numbers.set(cell, number);
    cells.set(number, cell);
    return number;
  };
  const readCell = (number: number): Cell => {
    const row = read.get(number);
    if (row === undefined) throw new Error(`no cell has the number ${number}`);
    const { website_id: websiteId, country, region, vertical, surface, test, currency, device } = row;
    const cell = { websiteId, country, region, vertical, surface, test: test === 1, currency, device };
    cells.set(number, cell);
    return cell;
  };
  return {
    numberOf,
    cellOf: (number) => cells.get(number) ?? readCell(number),
    forget: () => {
      last = null;
      numbers.clear();
      cells.clear();
    },
  };
}
