import { rowsOf } from "../../book-rows.ts";
import type { Service } from "../../service.ts";

/** What the service itself writes of its own running, and of who calls: no record of what anybody did. */
const passing = new Set([
  ...["node", "rate_window", "run_note", "session", "trouble", "visitor_salt", "decline_kept"],
  // Lines that wait are added up behind everybody's back, which changes no sum.
  ...["detail", "detail_delta", "counter", "counter_day", "counter_publisher"],
]);

/** All rows of every table as text, by its name, in whichever engine; bytes stand as the characters that they may be. */
export async function dumpTables(service: Service): Promise<Map<string, string>> {
  const names =
    service.databaseUrl === null
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
      : "select tablename as name from pg_tables where schemaname = 'public'";
  const tables = new Map<string, string>();
  for (const { name } of await rowsOf<{ name: string }>(service, names)) {
    const rows = await rowsOf<object>(service, `select * from "${name}"`);
    const lines = rows.map((row) => Object.values(row).map(asText).join(" "));
    tables.set(name, lines.toSorted().join("\n"));
  }
  return tables;
}

/** The tables of two dumps that hold something else, but for what passes by itself. */
export function changedTables(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...after.keys()].filter((name) => !passing.has(name) && before.get(name) !== after.get(name));
}

const asText = (value: unknown): string =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString("latin1")
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
