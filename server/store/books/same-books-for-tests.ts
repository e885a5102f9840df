import { tmpdir } from "node:os";
import type { Database as Sqlite } from "better-sqlite3";
import { type Kysely, sql } from "kysely";
import { engineOfTests } from "../../testing/engine-of-tests.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { DetailDeltaTable, Schema } from "../schema.ts";
import { prepareCells } from "../sqlite/cells.ts";
import { prepareAddingCounters } from "../sqlite/counters.ts";
import { sumsOf } from "../sqlite/detail.ts";
import type { newCatalogueFile } from "../sqlite/file-for-tests.ts";

type Recorded = Awaited<ReturnType<typeof newCatalogueFile>>;
type Books = Pick<Recorded, "db" | "actor" | "clock" | "transact" | "count" | "close">;

/**
 * What a writer has recorded in a file, as a database of the engine that the tests are about has it: so books of every engine
 * are held against what one and the same run has recorded. `close` ends both.
 */
export async function sameBooks(recorded: Recorded): Promise<Books> {
  if (engineOfTests === "sqlite") return recorded;
  const books = await newCatalogue(tmpdir());
  const { sqlite } = recorded;
  // There a batch adds to the counters itself, and lines alone wait.
  sqlite.exec("begin");
  const waiting = sqlite.prepare<[], DetailDeltaTable>("select * from detail_delta").all();
  prepareAddingCounters(sqlite, prepareCells(sqlite))(waiting.flatMap(sumsOf));
  await copyRows(sqlite, books.db);
  sqlite.exec("rollback");
  return {
    ...books,
    close: async () => {
      await books.close();
      await recorded.close();
    },
  };
}

const rowsAtOnce = 1000;

const copyRows = async (from: Sqlite, to: Kysely<Schema>): Promise<void> => {
  const { rows: tables } = await sql<{ name: keyof Schema }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(to);
  const isOfFile = from.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").pluck();
  await to.transaction().execute(async (tx) => {
    // Without what follows from a row by itself, and in any order of the tables.
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const { name } of tables.filter((table) => isOfFile.get(table.name) === 1)) {
      await tx.deleteFrom(name).execute();
      // Whole numbers with all their digits.
      const rows = from.prepare<[], object>(`select * from "${name}"`).safeIntegers().all();
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        await tx
          .insertInto(name)
          .values(rows.slice(at, at + rowsAtOnce) as never)
          .execute();
      }
    }
    const { rows: numbered } = await sql<{ table_name: keyof Schema; column_name: string }>`
      select table_name, column_name from information_schema.columns
      where table_schema = 'public' and is_identity = 'YES'`.execute(tx);
    for (const { table_name: table, column_name: column } of numbered) {
      await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, ${column}),
        (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(tx);
    }
  });
};
