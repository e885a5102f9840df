import { type Kysely, sql } from "kysely";
import type { ClientBase } from "pg";
import type { Schema } from "../schema.ts";
import type { TableShape } from "./table-shape.ts";

/** Lets the numbers that the target gives begin after the last that the source ever gave, also to a row that is gone. */
export async function continueNumbers(
  { source, client }: { source: Kysely<Schema>; client: Pick<ClientBase, "query"> },
  shapes: readonly TableShape[],
): Promise<void> {
  const { rows: given } = await sql<{
    name: string;
    seq: number;
  }>`select name, seq from sqlite_sequence`.execute(source);
  const { rows: identities } = await client.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  );
  for (const { table, column } of identities) {
    if (!shapes.some((shape) => shape.table === table)) continue;
    const last = given.find(({ name }) => name === table)?.seq ?? 0;
    await client.query(
      `select setval(pg_get_serial_sequence('"${table}"', '${column}'), last, last > 0)
       from (select greatest(1, $1::bigint, (select max("${column}") from "${table}")) as one) as at,
         lateral (select one as last) as there`,
      [last],
    );
  }
}
