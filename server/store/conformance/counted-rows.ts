import type { Kysely } from "kysely";
import { byColumn, figureColumns } from "../../core/figures.ts";
import { readWaitingSums, type WaitingSum } from "../books/waiting-sums.ts";
import type { CounterTable, Schema } from "../schema.ts";

type Waiting = WaitingSum<Exclude<keyof CounterTable, keyof Sums | "day">>;

/** Every counter that is not 0, with what waits to be added to it, in the order of their keys without the website. */
export function countedOf(counters: readonly CounterTable[], waiting: readonly Waiting[]): CounterTable[] {
  const rows = new Map<string, CounterTable>();
  const add = (row: Omit<CounterTable, keyof Sums>, figures: Sums): void => {
    const { website_id, day, country, vertical, surface, test, currency } = row;
    const key = [day, country, vertical, surface, test, currency, website_id].join("\n");
    const sum = rows.get(key) ?? { website_id, day, country, vertical, surface, test, currency, ...nothing };
    rows.set(key, sum);
    for (const column of figureColumns) sum[column] += Number(figures[column]);
  };
  for (const row of counters) add(row, row);
  for (const { place, day, figures } of waiting) add({ ...place, day }, byColumn(figures));
  return [...rows]
    .filter(([, row]) => figureColumns.some((column) => row[column] !== 0))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);
}

type Sums = ReturnType<typeof byColumn>;
const nothing = Object.fromEntries(figureColumns.map((column) => [column, 0])) as Record<keyof Sums, number>;

/** The same of a database. */
export async function readCounted(db: Kysely<Schema>): Promise<CounterTable[]> {
  const counters = await db.selectFrom("counter").selectAll().execute();
  const columns = ["website_id", "country", "vertical", "surface", "test", "currency"] as const;
  const every = { firstDay: 0, lastDay: 1_000_000, isAsked: () => true };
  return countedOf(counters, await readWaitingSums(db, { ...every, columns }));
}
