import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareSparseInsert } from "./sparse-insert.ts";

const columns = ["a", "b", "c"];

test.each([null, 0] as const)("rows are stored as they are, whichever columns are %s", (empty) => {
  const sqlite = new BetterSqlite3(":memory:");
  sqlite.exec("create table row (number integer primary key, a, b, c)");
  const insert = prepareSparseInsert(sqlite, { table: "row", columns, empty });
  const read = sqlite.prepare<[number | bigint]>("select a, b, c from row where number = ?").raw();
  const value = fc.oneof(fc.constant(empty), fc.integer({ min: 1 }), fc.string(), fc.constant(""));
  fc.assert(
    fc.property(fc.tuple(value, value, value), (row) => {
      expect(read.get(insert(row).lastInsertRowid)).toEqual(row);
    }),
  );
  sqlite.close();
});

test("what stands behind the values is heeded, and a row that is too short is refused", () => {
  const sqlite = new BetterSqlite3(":memory:");
  sqlite.exec("create table row (a primary key, b, c)");
  const insert = prepareSparseInsert(sqlite, {
    ...{ table: "row", columns, empty: null },
    behind: () => "on conflict do nothing",
  });
  expect([insert([1, null, 2]), insert([1, 3, null])].map(({ changes }) => changes)).toEqual([1, 0]);
  expect(() => insert([2, null])).toThrow("row has no value for c");
  sqlite.close();
});
