import { tmpdir } from "node:os";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";

let file: Awaited<ReturnType<typeof newCatalogueFile>>;
let shared: Awaited<ReturnType<typeof newCatalogue>>;
beforeAll(async () => {
  [file, shared] = [await newCatalogueFile(tmpdir()), await newCatalogue(tmpdir())];
});
afterAll(async () => {
  await file.close();
  await shared.close();
});

/** What an engine keeps for itself. */
const ofFileAlone = ["kysely_migration", "kysely_migration_lock"];
const ofNodesAlone = [
  ...["database_id", "move_note", "node", "rate_window", "schema_state"],
  // Programs of before read it, and may be running beside this one.
  "counter_delta",
];
const columnsOfNodesAlone = ["dismissal.xid", "ledger_line.xid"];

type Column = { table: string; column: string; type: string; isNullable: boolean; default: string | null };

/** The types that both have, whatever they are called. */
const typeOf = (declared: string): string => {
  const type = declared.toLowerCase();
  if (/int/.test(type)) return "whole number";
  if (/double|real|numeric/.test(type)) return "number";
  if (/blob|bytea/.test(type)) return "bytes";
  if (/text|varchar/.test(type)) return "text";
  return type;
};

const defaultOf = (written: string | null): string | null =>
  written?.replaceAll(/::\w+|^\(|\)$/g, "").replaceAll(/^'(.*)'$/g, "$1") ?? null;

const columnsOfFile = (): Column[] =>
  (
    file.sqlite
      .prepare(
        `select t.name as "table", c.name as "column", c.type, c."notnull" as filled, c.pk, c.dflt_value as value
         from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite%'`,
      )
      .all() as {
      table: string;
      column: string;
      type: string;
      filled: 0 | 1;
      pk: number;
      value: string | null;
    }[]
  ).map(({ table, column, type, filled, pk, value }) => ({
    ...{ table, column, type: typeOf(type), isNullable: filled === 0 && pk === 0, default: defaultOf(value) },
  }));

const columnsOfShared = async (): Promise<Column[]> => {
  const { rows } = await sql<{
    table: string;
    column: string;
    type: string;
    nullable: string;
    value: string | null;
  }>`
    select c.table_name as table, c.column_name as column, c.data_type as type, c.is_nullable as nullable,
      c.column_default as value
    from information_schema.columns c join pg_class on relname = c.table_name and relnamespace = 'public'::regnamespace
    where c.table_schema = 'public' and not relispartition`.execute(shared.db);
  return rows.map(({ table, column, type, nullable, value }) => ({
    ...{ table, column, type: typeOf(type), isNullable: nullable === "YES", default: defaultOf(value) },
  }));
};

const nameOf = ({ table, column }: Column): string => `${table}.${column}`;
const inOrder = (columns: readonly Column[]): Column[] =>
  columns.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));

test("both have the same tables and columns, of the same type, with the same defaults", async () => {
  const ofFile = columnsOfFile().filter(({ table }) => !ofFileAlone.includes(table));
  const ofShared = (await columnsOfShared()).filter(
    ({ table, column }) =>
      !ofNodesAlone.includes(table) && !columnsOfNodesAlone.includes(`${table}.${column}`),
  );
  expect(ofFile.length).toBeGreaterThan(250);
  // A default more than the file's does nothing: whoever writes names the column on both.
  const needsNone = new Set(ofFile.filter((one) => one.default === null).map(nameOf));
  const asked = ofShared.map((one) => (needsNone.has(nameOf(one)) ? { ...one, default: null } : one));
  expect(inOrder(asked)).toEqual(inOrder(ofFile));
});

test("texts have the order of their bytes there, as in the file, and not that of a language", async () => {
  const { rows } = await sql<{ name: string; collation: string | null }>`
    select table_name || '.' || column_name as name, collation_name as collation from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'character varying')`.execute(shared.db);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ collation }) => collation !== "C")).toEqual([]);
});

/** Whatever is found by its columns, or is there once: `unique table (column, …)`, in the order of the columns. */
const keysOfFile = (): string[] => {
  const indexes = file.sqlite
    .prepare(
      `select t.name as "table", i.name, i."unique" as isUnique from sqlite_schema t, pragma_index_list(t.name) i
       where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'`,
    )
    .all() as { table: string; name: string; isUnique: 0 | 1 }[];
  const columnsOf = file.sqlite.prepare<[string], string>("select name from pragma_index_info(?)").pluck();
  const rowids = file.sqlite
    .prepare<[], { table: string; column: string }>(
      `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
       where t.type = 'table' and t.name not like 'kysely%' and c.pk = 1 and c.type = 'INTEGER' collate nocase
         and not exists (select 1 from pragma_index_list(t.name) i where i.origin = 'pk')`,
    )
    .all();
  return [
    ...indexes.map(
      ({ table, name, isUnique }) =>
        `${isUnique ? "unique " : ""}${table} (${columnsOf.all(name).join(", ")})`,
    ),
    ...rowids.map(({ table, column }) => `unique ${table} (${column})`),
  ];
};

const keysOfShared = async (): Promise<string[]> => {
  const { rows } = await sql<{ table: string; isUnique: boolean; columns: string }>`
    select t.relname as table, x.indisunique as "isUnique",
      (select string_agg(a.attname, ', ' order by k.at) from unnest(x.indkey::int[]) with ordinality k(number, at)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid
    where t.relnamespace = 'public'::regnamespace and not t.relispartition`.execute(shared.db);
  return rows.map(({ table, isUnique, columns }) => `${isUnique ? "unique " : ""}${table} (${columns})`);
};

/** A file's writers are one after another, so it looks for a cell by less than all of its parts (decisions.md#slim-rows). */
const keysOfFileAlone = ["cell (website_id, country, region, device)"];
/** Nodes make a cell at the same time; and by these they find what others have committed (decisions.md#found-by-transaction). */
const keysOfNodesAlone = [
  "dismissal (xid)",
  "ledger_line (xid)",
  "rate_count (changed)",
  "unique cell (website_id, country, region, vertical, surface, test, currency, device)",
  "website_rate (changed)",
];

test("both find rows by the same columns, and hold the same ones apart", async () => {
  const ofShared = new Set(
    (await keysOfShared()).filter((key) => !ofNodesAlone.some((table) => key.includes(`${table} (`))),
  );
  const ofFile = new Set(keysOfFile());
  const without = (some: Set<string>, others: Set<string>) =>
    [...some].filter((key) => !others.has(key)).sort();
  expect(without(ofFile, ofShared)).toEqual(keysOfFileAlone);
  expect(without(ofShared, ofFile)).toEqual(keysOfNodesAlone);
});
