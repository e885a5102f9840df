import { type Kysely, sql } from "kysely";
import { type Count, counts } from "../counts.ts";
import type { Schema } from "../schema.ts";
import type { Difference } from "./recount.ts";

/** A sum table, and its key as the counters have it: what is summed over stands as a name of its own. */
const sums = [
  { table: "counter_day", key: { day: "day", country: "'all'", vertical: "vertical" } },
  { table: "counter_month", key: { day: "month", country: "country", vertical: "vertical" } },
] as const;

/**
 * Adds up the counters again and compares the sums that reports read with them. A difference has `all` for its
 * country where the sum is one over countries, and a month for its day where it is one over days.
 */
export async function recountSums(db: Kysely<Schema>): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const { table, key } of sums) {
    const kept = `${key.day} as day, website_id, ${key.country} as country, ${key.vertical} as vertical, surface, test`;
    const again = kept.replace("month as day", "substr(day, 1, 7) as day");
    const { rows } = await sql<Row>`${sql.raw(`
      select day, website_id, country, vertical, surface, test,
        ${counts.map((count) => `sum(${count}) as ${count}, sum(${count}_again) as ${count}_again`).join(", ")}
      from (
        select ${kept}, ${counts.map((count) => `${count}, 0 as ${count}_again`).join(", ")} from ${table}
        union all
        select ${again}, ${counts.map((count) => `0 as ${count}, ${count} as ${count}_again`).join(", ")} from counter
      ) as cell
      group by day, website_id, country, vertical, surface, test
      having ${counts.map((count) => `sum(${count}) != sum(${count}_again)`).join(" or ")}
      order by day, website_id, country, vertical, surface, test`)}`.execute(db);
    found.push(...rows.flatMap(differencesOf));
  }
  return found;
}

type Row = Pick<Difference, "day" | "country" | "vertical" | "surface"> & {
  website_id: number;
  test: 0 | 1;
} & { [name in Count | `${Count}_again`]: number };

const differencesOf = ({
  day,
  website_id: websiteId,
  country,
  vertical,
  surface,
  test,
  ...row
}: Row): Difference[] =>
  counts
    .filter((count) => row[count] !== row[`${count}_again`])
    .map((count) => ({
      ...{ day, websiteId, country, vertical, surface },
      test: test === 1,
      count,
      recorded: row[count],
      recounted: row[`${count}_again`],
    }));
