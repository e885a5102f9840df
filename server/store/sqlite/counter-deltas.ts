import type { Database as Sqlite } from "better-sqlite3";
import { daySums, type FoldedSum } from "../../core/counter-fold.ts";
import { figureColumns } from "../../core/figures.ts";
import { counterKeys } from "../schema.ts";
import { prepareSparseInsert } from "./sparse-insert.ts";

/** Whoever reads the counters adds about this many rows to them at the most. */
export const mostWaiting = 4000;
/** So many sorted rows are settled at once: some milliseconds, which a batch's callers wait. */
const rowsAtOnce = 250;

/**
 * Prepares what counts a batch's sums, inside its transaction. A batch of events touches nearly as many pages of the
 * counters as it has events, and each touched page is written whole; so a fold is first appended, where it costs a
 * page or two. What has been appended is sorted by website when it has grown to `mostWaiting` rows, and of these each
 * batch adds some to the counters, so that none has to wait for all of them. Rows with a number above 0 are appended,
 * those below are sorted. The counters and what waits are always what the facts add up to, whichever process wrote them.
 */
export function prepareCounterDeltas(sqlite: Sqlite): (sums: readonly FoldedSum[]) => void {
  const append = prepareSparseInsert(sqlite, {
    table: "counter_delta",
    columns: ["number", "cell", "day", ...figureColumns],
    empty: 0,
  });
  // Not the number that SQLite would choose, which is below 0 while nothing but sorted rows is there.
  const lastNumber = sqlite
    .prepare<[], number>("select max(coalesce(max(number), 0), 0) from counter_delta")
    .pluck();
  const sort = prepareSorting(sqlite);
  const settleSorted = prepareSettlingSorted(sqlite);
  return (sums) => {
    const before = Number(lastNumber.get());
    let waiting = before;
    for (const { cell, day, figures } of daySums(sums)) {
      waiting += 1;
      append([waiting, cell, day, ...figures]);
    }
    const added = waiting - before;
    // Twice what the batch has added, so that nothing is left before there is as much again.
    const isSettling = settleSorted();
    for (let settled = rowsAtOnce; isSettling && settled < 2 * added; settled += rowsAtOnce) settleSorted();
    if (!isSettling && waiting >= mostWaiting) sort();
  };
}

/** Prepares what adds all that waits to the counters, inside a transaction. */
export function prepareSettlingCounters(sqlite: Sqlite): () => void {
  const statements = settlingWhere(sqlite, "true");
  return () => {
    for (const statement of statements) statement.run();
  };
}

/** Adds up what waits by cell and day, in the order of websites. */
const prepareSorting = (sqlite: Sqlite): (() => void) => {
  const sums = figureColumns.map((column) => `sum(counter_delta.${column})`);
  const sort = sqlite.prepare(`
    insert into counter_delta (number, cell, day, ${figureColumns.join(", ")})
    select -row_number() over (order by cell.website_id, counter_delta.day, cell.id),
      cell.id, counter_delta.day, ${sums.join(", ")}
    from counter_delta cross join cell on cell.id = counter_delta.cell group by cell.id, counter_delta.day`);
  const forget = sqlite.prepare("delete from counter_delta where number > 0");
  return () => {
    sort.run();
    forget.run();
  };
};

/** Adds the next sorted rows to the counters; false: there are none. */
const prepareSettlingSorted = (sqlite: Sqlite): (() => boolean) => {
  const first = sqlite
    .prepare<[], number | null>("select max(number) from counter_delta where number < 0")
    .pluck();
  const statements = settlingWhere(sqlite, "counter_delta.number between +? and +?");
  return () => {
    const to = first.get() ?? null;
    if (to === null) return false;
    for (const statement of statements) statement.run(to - rowsAtOnce + 1, to);
    return true;
  };
};

const settlingWhere = (sqlite: Sqlite, which: string) => [
  ...(["counter", "counter_day", "counter_publisher"] as const).map((table) =>
    sqlite.prepare(addDeltas(table, which)),
  ),
  sqlite.prepare(`delete from counter_delta where ${which}`),
];

const addDeltas = (table: keyof typeof counterKeys, which: string): string => {
  const key: readonly string[] = counterKeys[table];
  const sums = figureColumns.map((column) => `sum(counter_delta.${column})`);
  // The order of the joins is fixed: by the few deltas, each with the one cell that it names.
  return `
    insert into ${table} (${[...key, ...figureColumns].join(", ")})
    select ${[...key.map(source), ...sums].join(", ")}
    from counter_delta cross join cell on cell.id = counter_delta.cell
      left join website on website.id = cell.website_id left join publisher on publisher.id = website.publisher_id
    where ${which} group by ${key.map((_, index) => index + 1).join(", ")}
    on conflict (${key.join(", ")}) do update
      set ${figureColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(", ")}`;
};

const source = (column: string): string => {
  if (column === "publisher") return "coalesce(publisher.number, 0)";
  return column === "day" ? "counter_delta.day" : `cell.${column}`;
};
