import type { PostgresPool } from "kysely";
import type { ClientBase } from "pg";

/** Asks one statement, on whichever connection is free: it is a transaction of its own. */
export type Ask = <Row>(statement: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Statements over a pool, as they stand. */
export function askingOf(pool: PostgresPool): Ask {
  return async <Row>(statement: string, values: readonly unknown[] = []) => {
    const client = await pool.connect();
    try {
      return (await client.query<Row>(statement, values)).rows;
    } finally {
      client.release();
    }
  };
}

/** Statements on one connection. */
export function askingOn(client: Pick<ClientBase, "query">): Ask {
  return async <Row>(statement: string, values: readonly unknown[] = []) =>
    (await client.query(statement, [...values])).rows as Row[];
}
