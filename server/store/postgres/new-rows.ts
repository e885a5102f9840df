import type { Client } from "./transaction.ts";

/**
 * A moment that the database itself describes, a `pg_snapshot` as text: `oldest:next:open,open`. Which rows have been
 * committed since is known by it, however long their transactions took (decisions.md#found-by-transaction): those whose
 * transaction was not over by then.
 */
export type Moment = string;

/** The moment at which a statement sees the database, as a column `snapshot`. */
export const momentColumn = "pg_current_snapshot()::text as snapshot";

/**
 * The condition that a column's transaction was not over at a moment: it began later, or was under way. Its values are the
 * parameters from number `first` on. Both are looked up in the column's index: a range from the oldest that was under way
 * would be read whole by every poll for as long as anybody on the server, or a transaction that was prepared and forgotten,
 * leaves one open. They are values and no functions of the snapshot, by which the planner knows that few rows have them.
 */
export function isNewer(column: string, first: number): string {
  return `(${column} >= $${first}::bigint or ${column} = any($${first + 1}::bigint[]))`;
}

/** The values of those parameters: the first transaction that had not begun, and those that were under way. */
export function valuesOf(moment: Moment): [string, string] {
  const [, next, open] = moment.split(":");
  if (next === undefined || open === undefined) throw new Error(`no snapshot: ${moment}`);
  return [next, `{${open}}`];
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
       and (column_name = 'xid' or (table_name in ('rate_count', 'website_rate') and column_name = 'changed'))`,
  );
  for (const { table, column } of rows) {
    await client.query(
      `update "${table}" set ${column} = 0 where ${column} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
    );
  }
}
