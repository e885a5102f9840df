import pg from "pg";
import { withDatabase } from "./book-file.ts";
import type { Service } from "./service.ts";

/** Rows of a service's database, in whichever engine it is: the question is one that both understand. */
export async function rowsOf<Row extends object>(service: Service, sql: string): Promise<Row[]> {
  const { databaseUrl } = service;
  if (databaseUrl === null) {
    return withDatabase(await service.databaseFile(), (db) => db.prepare(sql).all() as Row[]);
  }
  const client = new pg.Client({ connectionString: databaseUrl, types: { getTypeParser } });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The first row, of a question that has one. */
export async function rowOf<Row extends object>(service: Service, sql: string): Promise<Row> {
  const [row] = await rowsOf<Row>(service, sql);
  if (row === undefined) throw new Error(`no row: ${sql}`);
  return row;
}

/** Whole numbers and sums of them come as numbers, as SQLite has them. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
    ? Number
    : pg.types.getTypeParser(oid, format);
