import type { Database as Sqlite } from "better-sqlite3";
import { daySums, type FoldedSum } from "../../core/counter-fold.ts";
import { figureColumns } from "../../core/figures.ts";
import { counterKeys } from "../schema.ts";

/** Whoever reads the counters adds this many rows to them at the most, and a batch settles this many now and then. */
export const mostWaiting = 1000;

/**
 * Prepares what counts a batch's sums, inside its transaction. A batch of events touches nearly as many pages of the
 * counters as it has events, and each touched page is written whole; so a fold is first appended, where it costs a
 * page or two, and what has been appended is added to the counters in the order of their keys when it has grown to
 * `mostWaiting` rows. The counters and what waits are always what the facts add up to, whichever process wrote them.
 */
export function prepareCounterDeltas(sqlite: Sqlite): (sums: readonly FoldedSum[]) => void {
  const columns = ["cell", "day", ...figureColumns];
  const append = sqlite.prepare(
    `insert into counter_delta (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  const settle = prepareSettlingCounters(sqlite);
  return (sums) => {
    let waiting = 0;
    for (const { cell, day, figures } of daySums(sums)) {
      // They are all deleted at once, so the number of the last is how many there are.
      waiting = Number(append.run([cell, day, ...figures]).lastInsertRowid);
    }
    if (waiting < mostWaiting) return;
    settle();
  };
}

/** Prepares what adds all that waits to the counters, inside a transaction. */
export function prepareSettlingCounters(sqlite: Sqlite): () => void {
  const statements = [
    ...(["counter", "counter_day", "counter_publisher"] as const).map((table) =>
      sqlite.prepare(addDeltas(table)),
    ),
    sqlite.prepare("delete from counter_delta"),
  ];
  return () => {
    for (const statement of statements) statement.run();
  };
}

const addDeltas = (table: keyof typeof counterKeys): string => {
  const key: readonly string[] = counterKeys[table];
  const sums = figureColumns.map((column) => `sum(counter_delta.${column})`);
  // The order of the joins is fixed: by the few deltas, each with the one cell that it names.
  return `
    insert into ${table} (${[...key, ...figureColumns].join(", ")})
    select ${[...key.map(source), ...sums].join(", ")}
    from counter_delta cross join cell on cell.id = counter_delta.cell
      left join website on website.id = cell.website_id left join publisher on publisher.id = website.publisher_id
    where true group by ${key.map((_, index) => index + 1).join(", ")}
    on conflict (${key.join(", ")}) do update
      set ${figureColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`;
};

const source = (column: string): string => {
  if (column === "publisher") return "coalesce(publisher.number, 0)";
  return column === "day" ? "counter_delta.day" : `cell.${column}`;
};
