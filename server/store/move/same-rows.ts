import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { pagesOf } from "../books/pages.ts";
import type { Schema } from "../schema.ts";
import { type Row, selected, type TableShape, type Value } from "./table-shape.ts";

/** How many rows a table has on both sides, and the key of the first that is not the same; null: all are. */
export type Comparison = { source: number; target: number; differsAt: string | null };

/** Reads a table on both sides in the order of its key, and compares it value by value. */
export async function compareRows(
  source: Kysely<Schema>,
  target: Kysely<Schema>,
  shape: TableShape,
): Promise<Comparison> {
  const { table, key, columns } = shape;
  const read = (db: Kysely<Schema>) => pagesOf<Row>(db, table, key, selected(db, shape));
  const others = read(target);
  const comparison: Comparison = { source: 0, target: 0, differsAt: null };
  for await (const page of read(source)) {
    const other: Row[] = (await others.next()).value ?? [];
    comparison.source += page.length;
    comparison.target += other.length;
    if (comparison.differsAt !== null) continue;
    const at = page.findIndex(
      (row, index) => !columns.every(({ name }) => isSame(row[name] ?? null, other[index]?.[name])),
    );
    const row = page[at] ?? other[page.length];
    if (row !== undefined) comparison.differsAt = keyText(shape, row);
  }
  for await (const page of others) {
    comparison.target += page.length;
    if (page[0] !== undefined) comparison.differsAt ??= keyText(shape, page[0]);
  }
  return comparison;
}

/** The same of a table that has few rows, or no key, and of those of its rows alone for which `counts` holds. */
export async function compareFew(
  source: Kysely<Schema>,
  target: Kysely<Schema>,
  shape: TableShape,
  counts: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): Promise<Comparison> {
  const read = async (db: Kysely<Schema>) => {
    const { rows } = await sql<Row>`
      select ${sql.join(selected(db, shape))} from ${sql.table(shape.table)} where ${counts}`.execute(db);
    return rows.map((row) => JSON.stringify(row)).sort();
  };
  const [one, other] = [await read(source), await read(target)];
  const differsAt = one.join() === other.join() ? null : "the first";
  return { source: one.length, target: other.length, differsAt };
}

const isSame = (one: Value, other: Value | undefined): boolean =>
  one instanceof Uint8Array ? other instanceof Uint8Array && Buffer.compare(one, other) === 0 : one === other;

const keyText = ({ key }: TableShape, row: Row): string =>
  key
    .map((name) => row[name])
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)))
    .join(" ");
