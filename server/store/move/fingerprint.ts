import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import type { TableShape } from "./table-shape.ts";

/** How many rows a table has, and what tells it from the same table after a change. */
export type Fingerprint = { rows: number; of: string };

/**
 * Reads each table once: how many rows, and the sum of each column's numbers and of its texts' lengths. Whoever writes moves
 * a count, a time or a version, so that what was begun with one state is not gone on with from another.
 */
export async function fingerprints(
  source: Kysely<Schema>,
  shapes: readonly TableShape[],
): Promise<Record<string, Fingerprint>> {
  const all: Record<string, Fingerprint> = {};
  for (const { table, columns } of shapes) {
    const sums = columns.map(({ name, type }) => {
      const column = sql.ref(name);
      return type === "text" || type === "bytea" ? sql`total(length(${column}))` : sql`total(${column})`;
    });
    const {
      rows: [row],
    } = await sql<{ rows: number; sums: string }>`
      select count(*) as rows, json_array(${sql.join(sums)}) as sums from ${sql.table(table)}`.execute(
      source,
    );
    const names = columns.map(({ name }) => name).join();
    all[table] = { rows: row?.rows ?? 0, of: `${row?.rows} ${names} ${row?.sums}` };
  }
  return all;
}
