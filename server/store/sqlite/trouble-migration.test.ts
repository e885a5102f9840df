import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { up } from "../migrations/0019-trouble.ts";
import { openDatabase } from "./database.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "trouble-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("refused calls and pings of before stay, each in its hour", async () => {
  const { sqlite } = openDatabase({ file: join(directory, "a.sqlite"), durability: "relaxed" });
  sqlite.exec(`create table refused_call (website_id integer, origin text, code text, times bigint, last_at bigint);
    insert into refused_call values (7, 'https://a.example', 'origin_not_registered', 3, 7200005), (0, '', 'unknown_website', 1, 1);
    create table snippet_ping (website_id integer, hour bigint);
    insert into snippet_ping values (7, 0)`);
  await up(new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) }));
  expect(sqlite.prepare("select * from trouble order by subject desc").all()).toEqual([
    {
      subject: "website:7",
      hour: 7_200_000,
      code: "origin_not_registered",
      detail: "https://a.example",
      times: 3,
      last_at: 7_200_005,
    },
    { subject: "website:0", hour: 0, code: "unknown_website", detail: "", times: 1, last_at: 1 },
  ]);
  expect(sqlite.prepare("select loads from snippet_ping").pluck().all()).toEqual([1]);
  const tables = sqlite.prepare("select name from sqlite_schema where name = 'refused_call'").all();
  expect(tables).toEqual([]);
  sqlite.close();
});
