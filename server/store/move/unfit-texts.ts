import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";
import type { TableShape } from "./table-shape.ts";

const mostNamed = 20;

/** The rows, `table (key): columns`, with a text that PostgreSQL refuses because it has a NUL; not more than some. */
export async function unfitTexts(source: Kysely<Schema>, shapes: readonly TableShape[]): Promise<string[]> {
  const found: string[] = [];
  for (const { table, columns, key } of shapes) {
    const texts = columns.filter(({ type }) => type === "text").map(({ name }) => name);
    if (texts.length === 0) continue;
    const unfit = (name: string) => sql`instr(${sql.ref(name)}, char(0)) > 0`;
    const places = key.map((name) => sql`quote(${sql.ref(name)})`);
    const names = texts.map((name) => sql`case when ${unfit(name)} then ${` ${name}`} else '' end`);
    const { rows } = await sql<{ place: string; names: string }>`
      select ${sql.join(places.length > 0 ? places : [sql`''`], sql` || ', ' || `)} as place,
        ${sql.join(names, sql` || `)} as names
      from ${sql.table(table)} where ${sql.join(texts.map(unfit), sql` or `)} limit ${mostNamed}`.execute(
      source,
    );
    found.push(...rows.map(({ place, names }) => `${table} (${place}):${names}`));
  }
  return found.slice(0, mostNamed);
}
