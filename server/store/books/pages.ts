import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** Enough that a page's own cost does not show, and little enough to be held in memory. */
const usualRows = 5000;

/** Each holds the lines of an hour of a website, up to a megabyte where much goes on. */
const rowsInPage: Partial<Record<keyof Schema, number>> = { detail: 50, closed_detail: 50 };

/**
 * All rows of a table in the order of its key, page by page: a table of any length takes the memory of one page.
 * The pages are of one moment when `db` is a transaction. `after`: a row that stands for all that is not wanted any more, by
 * its key; left out, all rows are. `where`: which rows alone are wanted.
 */
export async function* pagesOf<Row extends object>(
  db: Kysely<Schema>,
  table: keyof Schema,
  key: readonly (keyof Row & string)[],
  columns: readonly ((keyof Row & string) | RawBuilder<unknown>)[],
  after?: Partial<Row>,
  where = sql<SqlBool>`true`,
): AsyncGenerator<Row[]> {
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  const most = rowsInPage[table] ?? usualRows;
  let last = after;
  do {
    const beyond =
      last === undefined
        ? sql<SqlBool>`true`
        : sql<SqlBool>`(${keyColumns}) > (${sql.join(valuesOf(last, key))})`;
    const { rows } = await sql<Row>`
      select ${sql.join(columns.map((column) => (typeof column === "string" ? sql.ref(column) : column)))} from ${sql.table(table)}
      where ${beyond} and ${where} order by ${keyColumns} limit ${most}`.execute(db);
    yield rows;
    last = rows.length === most ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

const valuesOf = <Row>(row: Partial<Row>, key: readonly (keyof Row)[]) => key.map((column) => row[column]);
