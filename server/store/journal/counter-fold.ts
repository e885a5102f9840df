import type { Database as Sqlite } from "better-sqlite3";
import { type Count, counts } from "../counts.ts";
import type { CounterTable } from "../schema.ts";
import type { EventRow } from "../sqlite/event-rows.ts";

/** What one batch adds to the counters: each touched cell is written once, whatever the number of its events. */
export type CounterFold = {
  /** Counts a row in (1), or out again (-1) before it changes or goes. */
  add(row: EventRow, sign: 1 | -1): void;
  /** Takes over everything that another fold holds. */
  merge(other: CounterFold): void;
  cells(): Iterable<CounterTable>;
};

const countOfType = {
  blocked: "blocked",
  served: "served",
  impression: "impressions",
  click: "clicks",
} as const satisfies Record<EventRow["type"], Count>;

/** An empty fold. */
export function createCounterFold(): CounterFold {
  const cells = new Map<string, CounterTable>();
  const cellOf = (at: CellKey): CounterTable => {
    const key = `${at.day}|${at.website_id}|${at.country}|${at.vertical}|${at.surface}|${at.test}`;
    const known = cells.get(key);
    if (known) return known;
    const cell = emptyCell(at);
    cells.set(key, cell);
    return cell;
  };
  return {
    add: (row, sign) => {
      const cell = cellOf(row);
      cell[row.reason === null ? countOfType[row.type] : "filtered"] += sign;
      if (row.billed_micros === null) return;
      cell.spend_micros += sign * row.billed_micros;
      if (row.type === "click") cell.billable_clicks += sign;
    },
    merge: (other) => {
      for (const theirs of other.cells()) {
        const ours = cellOf(theirs);
        for (const count of counts) ours[count] += theirs[count];
      }
    },
    cells: () => cells.values(),
  };
}

/** Prepares the one statement that adds a fold's cells to the table. */
export function prepareCounterFlush(sqlite: Sqlite): (fold: CounterFold) => void {
  const sums = counts.map((count) => `${count} = counter.${count} + excluded.${count}`);
  const upsert = sqlite.prepare(
    `insert into counter (day, website_id, country, vertical, surface, test, ${counts.join(", ")})
     values (?, ?, ?, ?, ?, ?, ${counts.map(() => "?").join(", ")})
     on conflict (website_id, day, country, vertical, surface, test) do update set ${sums.join(", ")}`,
  );
  return (fold) => {
    for (const cell of fold.cells()) {
      const added = counts.map((count) => cell[count]);
      // A row that was counted out and in again leaves nothing to write.
      if (added.every((count) => count === 0)) continue;
      upsert.run(cell.day, cell.website_id, cell.country, cell.vertical, cell.surface, cell.test, ...added);
    }
  };
}

type CellKey = Pick<CounterTable, "day" | "website_id" | "country" | "vertical" | "surface" | "test">;

const emptyCell = ({ day, website_id, country, vertical, surface, test }: CellKey): CounterTable => ({
  day,
  website_id,
  country,
  vertical,
  surface,
  test,
  blocked: 0,
  served: 0,
  impressions: 0,
  clicks: 0,
  billable_clicks: 0,
  spend_micros: 0,
  filtered: 0,
});
