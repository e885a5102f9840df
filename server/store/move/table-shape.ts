import { type Kysely, type RawBuilder, sql } from "kysely";
import { exactly } from "../books/exact-column.ts";
import type { Schema } from "../schema.ts";

/** A table as both engines have it. */
export type TableShape = {
  table: keyof Schema;
  columns: readonly Column[];
  /** The columns of its primary key in their order; empty: it has none, and one row. */
  key: readonly string[];
};

/** What PostgreSQL keeps in a column. */
export type Column = { name: string; type: "bigint" | "text" | "bytea" | "double precision" };

/** One value of a row as both drivers give it; a whole number beyond 2^53 is a text. */
export type Value = number | string | Uint8Array | null;
export type Row = Record<string, Value>;

/**
 * The tables as the source has them and PostgreSQL keeps them; a column that PostgreSQL alone has fills itself. Throws where
 * the source has a table or column that the target has not: such a row could not be moved whole.
 */
export async function readShapes(
  source: Kysely<Schema>,
  target: Kysely<Schema>,
  tables: readonly (keyof Schema)[],
): Promise<TableShape[]> {
  const { rows: columns } = await sql<{ table: string; name: string; type: Column["type"] }>`
    select table_name as "table", column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema()`.execute(target);
  const { rows: keys } = await sql<{ table: string; name: string }>`
    select relname as "table", attname as name
    from pg_index cross join lateral unnest(indkey) with ordinality as part(number, place)
      join pg_class on pg_class.oid = indrelid join pg_attribute on attrelid = indrelid and attnum = part.number
    where indisprimary and relnamespace = current_schema()::regnamespace order by relname, place`.execute(
    target,
  );
  const shapes: TableShape[] = [];
  for (const table of tables) {
    const { rows: found } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(
      source,
    );
    const there = new Map(columns.filter((one) => one.table === table).map(({ name, type }) => [name, type]));
    shapes.push({
      table,
      columns: found.map(({ name }) => ({ name, type: there.get(name) ?? missing(table, name) })),
      key: keys.filter((one) => one.table === table).map(({ name }) => name),
    });
  }
  return shapes;
}

const missing = (table: string, column: string): never => {
  throw new Error(`PostgreSQL has no ${table}.${column}: its layout is not that of the database to be moved`);
};

/** A table's columns as they have to be selected from a database to lose no digit. */
export function selected(db: Kysely<Schema>, { columns }: TableShape): RawBuilder<unknown>[] {
  return columns.map(({ name, type }) => {
    const column = sql.ref(name);
    return type === "bigint" ? sql`${exactly(db, column)} as ${column}` : sql`${column}`;
  });
}
