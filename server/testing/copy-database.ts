import { rmSync } from "node:fs";
import type pg from "pg";
import type { DatabaseAddress } from "../store/database-address.ts";
import { connect } from "../store/postgres/connect.ts";
import { openDatabase } from "../store/sqlite/database.ts";

/** Fills an empty database that has the schema with everything that another one has stored, salts and keys included. */
export async function copyDatabase(from: DatabaseAddress, to: DatabaseAddress): Promise<void> {
  if (from.engine === "sqlite" && to.engine === "sqlite") {
    const { sqlite, db } = openDatabase({ file: from.file, durability: "relaxed" });
    for (const end of ["", "-wal", "-shm"]) rmSync(to.file + end, { force: true });
    sqlite.prepare("vacuum into ?").run(to.file);
    await db.destroy();
  } else if (from.engine === "postgres" && to.engine === "postgres") {
    const [source, target] = [await connected(from.url), await connected(to.url)];
    try {
      await copyRows(source, target);
    } finally {
      await Promise.all([source.end(), target.end()]);
    }
  } else throw new Error("both are of one engine");
}

const connected = (url: string): Promise<pg.Client> =>
  connect({ url, name: "offers tests", settings: { session_replication_role: "replica" } });

/** A copy by the server (`create database … template`) would need that nobody is connected with the one that is copied. */
const copyRows = async (source: pg.Client, target: pg.Client): Promise<void> => {
  const tables = await source.query<{ name: string; identity: string | null }>(`
    select relname as name, attname as identity from pg_class
    left join pg_attribute on attrelid = pg_class.oid and attidentity <> ''
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'arrival'`);
  await target.query(`truncate ${tables.rows.map(({ name }) => `"${name}"`)}`);
  for (const { name, identity } of tables.rows) {
    const { rows } = await source.query<{ all: string | null }>(
      `select json_agg(each)::text as all from "${name}" as each`,
    );
    await target.query(
      `insert into "${name}" overriding system value select * from json_populate_recordset(null::"${name}", $1)`,
      [rows[0]?.all ?? "[]"],
    );
    if (identity === null) continue;
    await target.query(
      `select setval(pg_get_serial_sequence('"${name}"', '${identity}'), coalesce(max("${identity}"), 0) + 1, false)
       from "${name}"`,
    );
  }
};
