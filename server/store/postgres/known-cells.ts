import type pg from "pg";
import { type Cell, cellKey, isSameCell } from "../../core/cell.ts";
import { createRecent } from "../../core/recent.ts";
import type { Cells } from "../journal/recording.ts";
import type { CellTable } from "../schema.ts";
import { NotReadAhead } from "./not-read-ahead.ts";
import { ask, sendAll } from "./pipeline.ts";

/** The cells of some seconds: a busy service has that many websites times countries. */
const remembered = 50_000;

export type KnownCells = {
  /**
   * The dictionary for one decision. A cell that is not known gets a number that is none, and is noted in `missing`: what was
   * decided is no good then, and is decided again once they have been opened.
   */
  forBatch(): Cells & { missing: ReadonlyMap<string, Cell> };
  /** Gives these cells numbers, those that have none yet, and remembers them. Outside of a transaction. */
  open(cells: Iterable<Cell>): Promise<void>;
  /** Reads the cells of these numbers that are not known. */
  lookUp(numbers: Iterable<number>): Promise<void>;
};

/** What a writer remembers of cells. It stays right, for a cell's number never changes. */
export function rememberCells(client: pg.Client): KnownCells {
  const numbers = createRecent<string, number>(remembered);
  const cells = createRecent<number, Cell>(remembered);
  const note = (row: CellTable & { id: number }): void => {
    const cell = cellOfRow(row);
    numbers.set(cellKey(cell), row.id);
    cells.set(row.id, cell);
  };
  return {
    forBatch: () => {
      const missing = new Map<string, Cell>();
      /** What is found for this batch stays found, however many cells it has. */
      const found = new Map<number, Cell>();
      let last: { cell: Cell; number: number } | null = null;
      const numberByKey = (cell: Cell): number => {
        const key = cellKey(cell);
        const number = numbers.get(key);
        if (number !== undefined) {
          found.set(number, cell);
          return number;
        }
        missing.set(key, cell);
        const none = -missing.size;
        found.set(none, cell);
        return none;
      };
      return {
        missing,
        // The offers of one answer share their cell as a rule.
        numberOf: (cell) => {
          if (last === null || !isSameCell(last.cell, cell)) last = { cell, number: numberByKey(cell) };
          return last.number;
        },
        cellOf: (number) => {
          const cell = found.get(number) ?? cells.get(number);
          if (cell === undefined) throw new NotReadAhead(`cell ${number}`);
          found.set(number, cell);
          return cell;
        },
      };
    },
    open: async (wanted) => {
      const rows = [...wanted].map((cell) => ({ ...cell, test: cell.test ? 1 : 0 }));
      const sorted = rows.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
      const values = [JSON.stringify(sorted)];
      const { results, failed } = await sendAll(client, [
        // Not by `on conflict` alone, which would use up a number each time: small numbers are few bytes in answers.
        {
          name: "open_cells",
          text: `insert into cell (website_id, country, region, vertical, surface, test, currency, device)
            select v."websiteId", v.country, v.region, v.vertical, v.surface, v.test, v.currency, v.device from ${given}
            where not exists (select 1 from cell c where ${isSame}) on conflict do nothing`,
          values,
        },
        { name: "find_cells", text: `select ${columns} from ${given} join cell c on ${isSame}`, values },
      ]);
      if (failed !== null) throw failed.error;
      for (const row of (results[1]?.rows ?? []) as (CellTable & { id: number })[]) note(row);
    },
    lookUp: async (wanted) => {
      const unknown = new Set([...wanted].filter((number) => cells.get(number) === undefined));
      if (unknown.size === 0) return;
      const rows = await ask<CellTable & { id: number }>(client, {
        name: "look_up_cells",
        text: `select ${columns} from unnest($1::bigint[]) k(id) join cell c on c.id = k.id`,
        values: [[...unknown]],
      });
      for (const row of rows) note(row);
    },
  };
}

const columns =
  "c.id, c.website_id, c.country, c.region, c.vertical, c.surface, c.test, c.currency, c.device";
const given = `json_to_recordset($1::json) v("websiteId" bigint, country text, region text, vertical text, surface text,
  test bigint, currency text, device bigint)`;
const isSame = `c.website_id = v."websiteId" and c.country = v.country and c.region = v.region
  and c.vertical = v.vertical and c.surface = v.surface and c.test = v.test and c.currency = v.currency
  and c.device = v.device`;

const cellOfRow = (row: CellTable): Cell => {
  const { website_id: websiteId, country, region, vertical, surface, test, currency, device } = row;
  return { websiteId, country, region, vertical, surface, test: test === 1, currency, device };
};
