import type { Database as Sqlite } from "better-sqlite3";
import { type CounterFold, type CounterRow, counterRowsOf } from "../../core/counter-fold.ts";
import { figureColumns } from "../../core/figures.ts";
import { counterKeys, foreseenDimensions } from "../schema.ts";
import type { KnownCells } from "./cells.ts";

const neutral: ReadonlyMap<string, string> = new Map(
  Object.entries(foreseenDimensions).map(([column, value]) => [
    column,
    JSON.stringify(value).replaceAll('"', "'"),
  ]),
);

/** Prepares the statements that add a fold to the counters: one upsert for each touched row of each table. */
export function prepareCounterFlush(sqlite: Sqlite, cells: KnownCells): (fold: CounterFold) => void {
  const upserts = {
    counter: prepareUpsert(sqlite, "counter"),
    counter_day: prepareUpsert(sqlite, "counter_day"),
    counter_publisher: prepareUpsert(sqlite, "counter_publisher"),
  };
  return (fold) => {
    const rows = counterRowsOf(fold, cells);
    upserts.counter(rows.counter);
    upserts.counter_day(rows.counter_day);
    upserts.counter_publisher(rows.counter_publisher);
  };
}

const prepareUpsert = (sqlite: Sqlite, table: keyof typeof counterKeys): ((rows: CounterRow[]) => void) => {
  const key: readonly string[] = counterKeys[table];
  const values = [...key.map((column) => neutral.get(column) ?? "?"), ...figureColumns.map(() => "?")];
  const sums = figureColumns.map((column) => `${column} = ${column} + excluded.${column}`);
  const upsert = sqlite.prepare(
    `insert into ${table} (${[...key, ...figureColumns].join(", ")}) values (${values.join(", ")})
     on conflict (${key.join(", ")}) do update set ${sums.join(", ")}`,
  );
  return (rows) => {
    for (const row of rows) upsert.run([...row.key, ...row.figures]);
  };
};
