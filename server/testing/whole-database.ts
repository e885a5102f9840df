import { createHash } from "node:crypto";
import type { TestService } from "./test-service.ts";

/** A hash of every row of each table, by its name: all equal where nothing was recorded. */
export function wholeDatabase({ database: { sqlite } }: TestService): Record<string, string> {
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => {
      const rows = JSON.stringify(sqlite.prepare(`select * from "${table}"`).raw().all());
      return [table, createHash("sha256").update(rows).digest("base64url")];
    }),
  );
}
