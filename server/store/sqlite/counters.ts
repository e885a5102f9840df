import type { Database as Sqlite } from "better-sqlite3";
import { counterRowsOf, daySums, type FoldedSum } from "../../core/counter-fold.ts";
import { figureColumns } from "../../core/figures.ts";
import type { Cells } from "../journal/recording.ts";
import { counterKeys } from "../schema.ts";
import { prepareSparseInsert } from "./sparse-insert.ts";

const tables = ["counter", "counter_day", "counter_publisher"] as const;

/** Prepares what adds sums to the three tables of counters, inside a transaction. */
export function prepareAddingCounters(
  sqlite: Sqlite,
  { cellOf }: Pick<Cells, "cellOf">,
): (sums: Iterable<FoldedSum>) => void {
  const publisherOf = sqlite
    .prepare<[number], number>(
      "select publisher.number from website join publisher on publisher.id = website.publisher_id where website.id = +?",
    )
    .pluck();
  const add = {
    counter: prepareAdding(sqlite, "counter"),
    counter_day: prepareAdding(sqlite, "counter_day"),
    counter_publisher: prepareAdding(sqlite, "counter_publisher"),
  };
  return (sums) => {
    const publishers = new Map<number, number>();
    const publisherOfWebsite = (websiteId: number): number => {
      const known = publishers.get(websiteId) ?? publisherOf.get(websiteId) ?? 0;
      publishers.set(websiteId, known);
      return known;
    };
    const rows = counterRowsOf(daySums(sums), { cellOf, publisherOf: publisherOfWebsite });
    for (const table of tables) {
      for (const { key, figures } of rows[table]) {
        // What was counted out and in again adds nothing.
        if (figures.some((figure) => figure !== 0)) add[table]([...key, ...figures]);
      }
    }
  };
}

/** A figure is bound as a double, and the column makes an integer of it again before it is added: the sum is exact. */
const prepareAdding = (sqlite: Sqlite, table: (typeof tables)[number]) => {
  const key: readonly string[] = counterKeys[table];
  return prepareSparseInsert(sqlite, {
    ...{ table, empty: 0, columns: [...key, ...figureColumns] },
    behind: (given) => {
      const added = given.filter((column) => !key.includes(column));
      const sums = added.map((column) => `${column} = ${column} + excluded.${column}`);
      return `on conflict (${key.join(", ")}) do update set ${sums.join(", ")}`;
    },
  });
};
