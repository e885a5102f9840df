import type { Surface } from "@offers/contract/words";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Count, counts } from "../counts.ts";
import type { Schema } from "../schema.ts";

/** One count of one cell that is not what the events add up to. */
export type Difference = {
  day: string;
  websiteId: number;
  country: string;
  vertical: string;
  surface: Surface;
  test: boolean;
  count: Count;
  /** What the counters say. */
  recorded: number;
  /** What the events say. */
  recounted: number;
};

/**
 * Counts every event again and compares each cell of the counters with it: `cells` is how many there are in either.
 * One statement, so it is right while events keep coming. Reads all events, which takes a while.
 */
export async function recount(db: Kysely<Schema>): Promise<{ cells: number; differences: Difference[] }> {
  const { rows } = await sql<Cell>`
    select ${list(cellKey)}, ${list(counts.flatMap(bothSums))}
    from (
      select ${list(cellKey)}, ${list(counts.flatMap((count) => [`${counted[count]} as ${count}_again`, `0 as ${count}`]))}
      from event group by ${list(cellKey)}
      union all
      select ${list(cellKey)}, ${list(counts.flatMap((count) => [`0 as ${count}_again`, count]))}
      from counter
    ) as cell
    group by ${list(cellKey)}
    order by ${list(cellKey)}`.execute(db);
  return { cells: rows.length, differences: rows.flatMap(differencesOf) };
}

type Cell = {
  day: string;
  website_id: number;
  country: string;
  vertical: string;
  surface: Surface;
  test: 0 | 1;
} & {
  [name in Count | `${Count}_again`]: number;
};

const cellKey = ["day", "website_id", "country", "vertical", "surface", "test"] as const;

const countedOf = (type: string) => `sum(case when type = '${type}' and reason is null then 1 else 0 end)`;

/** Each count as the events have it. An event that carries a reason is filtered, whatever its type. */
const counted: Record<Count, string> = {
  blocked: countedOf("blocked"),
  served: countedOf("served"),
  impressions: countedOf("impression"),
  clicks: countedOf("click"),
  billable_clicks: "sum(case when type = 'click' and billed_micros is not null then 1 else 0 end)",
  spend_micros: "coalesce(sum(billed_micros), 0)",
  filtered: "sum(case when reason is not null then 1 else 0 end)",
};

const bothSums = (count: Count) => [`sum(${count}_again) as ${count}_again`, `sum(${count}) as ${count}`];

/** Names and sums of this file only: nothing from outside may be spelled into a statement. */
const list = (parts: readonly string[]): RawBuilder<unknown> => sql.raw(parts.join(", "));

const differencesOf = (cell: Cell): Difference[] =>
  counts
    .filter((count) => cell[count] !== cell[`${count}_again`])
    .map((count) => ({
      day: cell.day,
      websiteId: cell.website_id,
      country: cell.country,
      vertical: cell.vertical,
      surface: cell.surface,
      test: cell.test === 1,
      count,
      recorded: cell[count],
      recounted: cell[`${count}_again`],
    }));
