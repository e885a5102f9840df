import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3, { type Database as Sqlite } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isSafeSqlite, openSqlite } from "./open-sqlite.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "offers-database-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const pragmasOf = (durability: "full" | "relaxed") => {
  const sqlite = openSqlite({ file: join(directory, "offers.sqlite"), durability });
  const names = ["journal_mode", "synchronous", "foreign_keys", "mmap_size", "fullfsync", "secure_delete"];
  const pragmas = names.map((name) => [name, sqlite.pragma(name, { simple: true })]);
  sqlite.close();
  return Object.fromEntries(pragmas);
};

describe("a connection", () => {
  const common = { journal_mode: "wal", foreign_keys: 1, mmap_size: 0, fullfsync: 1, secure_delete: 1 };

  test("is as durable as asked", () => {
    expect(pragmasOf("full")).toEqual({ ...common, synchronous: 2 });
    expect(pragmasOf("relaxed")).toEqual({ ...common, synchronous: 1 });
  });

  test("is refused where there can be no write-ahead log", () => {
    expect(() => openSqlite({ file: ":memory:", durability: "full" })).toThrow(
      "SQLite did not take journal_mode = wal: it is memory",
    );
  });

  test("is refused of a library that may corrupt the file", () => {
    const { prepare } = BetterSqlite3.prototype;
    vi.spyOn(BetterSqlite3.prototype, "prepare").mockImplementation(function (this: Sqlite, text: string) {
      return prepare.call(this, text.replace("sqlite_version()", "'3.51.2'"));
    });
    try {
      expect(() => openSqlite({ file: join(directory, "offers.sqlite"), durability: "full" })).toThrow(
        "SQLite 3.51.2 is too old: 3.51.3 or later is needed",
      );
    } finally {
      vi.restoreAllMocks();
    }
  });

  test("is refused on a file that is no database", () => {
    const file = join(directory, "notes.txt");
    writeFileSync(file, "not a database ".repeat(400));
    expect(() => openSqlite({ file, durability: "full" })).toThrow(/not a database/);
  });

  // A loop keeps root out as well, whom no rights do.
  test.each(["", "-wal"])("names the file that cannot be opened (offers.sqlite%s)", (suffix) => {
    const file = join(directory, "offers.sqlite");
    if (suffix !== "") openSqlite({ file, durability: "full" }).close();
    symlinkSync(`${file}${suffix}`, `${file}${suffix}`);
    expect(() => openSqlite({ file, durability: "full" })).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^SQLITE_CANTOPEN/),
        message: expect.stringContaining(`${file}, or its -wal or -shm, cannot be opened`),
      }),
    );
  });
});

test.each([
  { version: "3.51.3", isSafe: true },
  { version: "3.54.1", isSafe: true },
  { version: "3.51.2", isSafe: false },
  { version: "3.9.20", isSafe: false },
  { version: "4.0.0", isSafe: true },
  { version: "2.99.9", isSafe: false },
])("SQLite $version corrupts no file in WAL mode: $isSafe", ({ version, isSafe }) => {
  expect(isSafeSqlite(version)).toBe(isSafe);
});
