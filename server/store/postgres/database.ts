import { Kysely, PostgresDialect } from "kysely";
import type { Schema } from "../schema.ts";
import type { ConnectOptions } from "./connect.ts";
import { createPool } from "./pool.ts";

/** Kysely over a few connections, for all that is not hot; `destroy()` closes them. */
export function openDatabase(options: ConnectOptions, most?: number): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createPool(options, most) }) });
}
