import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { Schema } from "../schema.ts";
import type { ConnectOptions } from "./connect.ts";
import { createPool } from "./pool.ts";

/** Kysely over a few connections, for all that is not hot; `destroy()` closes them. */
export function openDatabase(options: ConnectOptions, most?: number): Kysely<Schema> {
  return databaseOver(createPool({ ...options, ...(most !== undefined && { most }) }));
}

/** Kysely over a pool that others use beside it; `destroy()` ends that. */
export function databaseOver(pool: PostgresPool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
