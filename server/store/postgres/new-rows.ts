import type { Client } from "./transaction.ts";

/**
 * Which rows have been committed since a moment that the database itself describes, however long their transactions took
 * (decisions.md#found-by-transaction): those whose transaction was not over by then.
 */
export type Moment = {
  /** A `pg_snapshot` as text. */
  snapshot: string;
  /** All transactions before this number were over, so that an index finds what is newer. */
  oldest: number;
};

/** The moment at which a statement sees the database, as two of its columns. */
export const momentColumns =
  "pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest";

/** The condition that a column's transaction was not over at a moment; its values are the parameters from number `first` on. */
export function isNewer(column: string, first: number): string {
  return `${column} >= $${first} and not pg_visible_in_snapshot(${column}::text::xid8, $${first + 1}::pg_snapshot)`;
}

/** The values of those parameters. */
export function valuesOf({ oldest, snapshot }: Moment): [number, string] {
  return [oldest, snapshot];
}

/**
 * Rows that were restored from another server may carry numbers that this one has yet to come to: they would be read as new
 * by every poll. No row that is seen has a number from beyond its own server's last, so these have another's, and are made
 * old ones. Nothing is written where there are none.
 */
export async function forgetOthersTransactions(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema()
       and (column_name = 'xid' or (table_name = 'rate_count' and column_name = 'changed'))`,
  );
  for (const { table, column } of rows) {
    await client.query(
      `update "${table}" set ${column} = 0 where ${column} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
    );
  }
}
