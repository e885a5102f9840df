import { type Expression, type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "./schema.ts";

/*
 * Where the engines' SQL differs, both texts beside each other. Everything else that the catalogue and the books ask is one
 * text for both.
 */

/** Whether a database is one that several nodes share. */
export function isPostgres(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Reads with several statements as if it were one, at a single moment, however much is written meanwhile. Within a
 * transaction that is open it joins that one, whose moments are its own.
 */
export function atOneMoment<T>(db: Kysely<Schema>, work: (tx: Kysely<Schema>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  // A transaction of SQLite has one snapshot anyhow. One of PostgreSQL has a new one for each statement unless it is told.
  if (!isPostgres(db)) return db.transaction().execute(work);
  return db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}

/** A parameter where nothing beside it says what it is, as in a list of values: PostgreSQL takes it for a text otherwise. */
export function whole(number: number): RawBuilder<number> {
  return sql`cast(${number} as bigint)`;
}

/** The same of a text, compared byte by byte as every column is. */
export function text(value: string): RawBuilder<string> {
  return sql`cast(${value} as text)`;
}

/** Whether a text has `part` in it, whatever the case of its letters from a to z. */
export function hasPart(db: Kysely<Schema>, text: Expression<string>, part: string): RawBuilder<SqlBool> {
  const pattern = `%${part.replace(/[\\%_]/g, "\\$&")}%`;
  return isPostgres(db)
    ? sql<SqlBool>`${text} ilike ${pattern} escape '\\'`
    : sql<SqlBool>`${text} like ${pattern} escape '\\'`;
}

/** The last step of the schema that the database has, and the program that keeps it. */
export function ofProgram(db: Kysely<Schema>): { schema: RawBuilder<string>; database: RawBuilder<string> } {
  return isPostgres(db)
    ? {
        schema: sql`(select lpad(cast(version as text), 4, '0') from schema_state)`,
        database: sql`'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1)`,
      }
    : {
        schema: sql`(select max(name) from kysely_migration)`,
        database: sql`'SQLite ' || sqlite_version()`,
      };
}

/**
 * Makes whoever calls it within a transaction wait until nobody else is between here and their end. SQLite has one writer
 * at a time anyhow, and so has a change of the catalogue on any engine.
 */
export async function oneAtATime(db: Kysely<Schema>): Promise<void> {
  if (isPostgres(db)) await sql`select version from catalogue_version where id = 1 for update`.execute(db);
}

/**
 * Within a change of what may be billed (caps, prices, shares): waits until whoever is billing these subjects has
 * committed, and lets nobody else begin before the change has. So nothing is decided by what stood before, once the change
 * was answered. Writers lock the same rows, total of an offer and total of its advertiser, in the same order. On SQLite
 * nobody bills during a change.
 * @param subjects offers' ids; left out: whatever any advertiser pays.
 */
export async function lockSpend(db: Kysely<Schema>, subjects?: readonly string[]): Promise<void> {
  if (!isPostgres(db)) return;
  const asked =
    subjects === undefined
      ? sql`select id from advertiser`
      : sql`select cast(unnest(cast(${subjects} as text[])) as text) collate "C"`;
  await sql`insert into spend (subject, day) select id, 0 from (${asked}) as asked (id) order by id
    on conflict (subject, day) do nothing`.execute(db);
  await sql`select 1 from spend where day = 0 and subject in (${asked}) order by subject for no key update`.execute(
    db,
  );
}
