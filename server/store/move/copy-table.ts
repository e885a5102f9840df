import { type Kysely, sql } from "kysely";
import type { ClientBase } from "pg";
import { pagesOf } from "../books/pages.ts";
import { transact } from "../postgres/transaction.ts";
import type { Schema } from "../schema.ts";
import { type Row, selected, type TableShape, type Value } from "./table-shape.ts";

/** How far the copy of a table has come: `after` is the key of its last row, null of none. */
export type Progress = { rows: number; after: readonly Value[] | null; isDone: boolean };

/**
 * Copies what follows of a table, a page and the note of it in one transaction: whatever ends it, the target has whole pages
 * and knows which.
 */
export async function copyTable(
  { source, client }: { source: Kysely<Schema>; client: Pick<ClientBase, "query"> },
  shape: TableShape,
  { from, note }: { from: Progress; note: (progress: Progress) => Promise<void> },
): Promise<void> {
  const { table, key } = shape;
  const insert = insertionOf(shape);
  let { rows, after } = from;
  const begin = after && Object.fromEntries(key.map((name, index) => [name, after?.[index] ?? null]));
  for await (const page of pagesOf<Row>(source, table, key, selected(source, shape), begin ?? undefined)) {
    const last = page.at(-1);
    rows += page.length;
    if (last !== undefined) after = key.map((name) => last[name] ?? null);
    await transact(client, async () => {
      if (page.length > 0) await client.query(insert, [jsonOf(shape, page)]);
      await note({ rows, after, isDone: false });
    });
  }
  await note({ rows, after, isDone: true });
}

/** Copies a short table in the place of whatever the target has in it. */
export async function replaceTable(
  { source, client }: { source: Kysely<Schema>; client: Pick<ClientBase, "query"> },
  shape: TableShape,
): Promise<void> {
  const { rows } =
    await sql<Row>`select ${sql.join(selected(source, shape))} from ${sql.table(shape.table)}`.execute(
      source,
    );
  await transact(client, async () => {
    await client.query(`delete from "${shape.table}"`);
    await client.query(insertionOf(shape), [jsonOf(shape, rows)]);
  });
}

/** Many rows as one parameter, each a JSON object. */
const insertionOf = ({ table, columns }: TableShape): string => {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const types = columns.map(({ name, type }) => `"${name}" ${type}`).join(", ");
  return `insert into "${table}" (${names}) select ${names} from json_to_recordset($1::json) as moved(${types})`;
};

const jsonOf = ({ columns }: TableShape, rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map(({ name }) => [name, jsonValue(row[name] ?? null)]))),
  );

const jsonValue = (value: Value): string | number | null =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
