import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import { type Whole, wholeOf } from "../../core/exact-sum.ts";
import { figureColumns } from "../../core/figures.ts";
import { isPostgres } from "../dialects.ts";
import type { Schema } from "../schema.ts";

/**
 * A whole number of SQL as it has to be selected to be read exactly: by `wholeRead`. The driver makes a number of every
 * integer, and of 2^53 + 1 the one below it; as a text it has all its digits.
 */
export function exactly(db: Kysely<Schema>, value: Expression<unknown>): RawBuilder<number | string> {
  // Its driver is told to do the same with every whole number.
  if (isPostgres(db)) return sql`${value}`;
  const most = sql.lit(Number.MAX_SAFE_INTEGER);
  return sql`case when ${value} between -${most} and ${most} then ${value} else cast(${value} as text) end`;
}

/** The figures of a table of counters, `exactly`. */
export function exactFigures(db: Kysely<Schema>) {
  return figureColumns.map((column) => exactly(db, sql.ref(column)).as(column));
}

/** What was selected `exactly`. */
export function wholeRead(value: number | string): Whole {
  return typeof value === "string" ? wholeOf(value) : value;
}
