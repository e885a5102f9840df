import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const figures = [
  ...["blocked", "served", "drawn", "impressions", "clicks"],
  ...["billable_clicks", "spend_micros", "earned_micros", "filtered"],
];
const keys = {
  counter: ["website_id", "day", "country", "vertical", "surface", "test", "currency"],
  counter_day: ["website_id", "day", "vertical", "surface", "test", "currency"],
  counter_publisher: ["publisher", "day", "country", "vertical", "surface", "test", "currency"],
};

const source = (column: string): string => {
  if (column === "publisher") return "coalesce(publisher.number, 0)";
  return column === "day" ? "counter_delta.day" : `cell.${column}`;
};

const settle = Object.entries(keys).map(
  ([table, key]) => `
    insert into ${table} (${[...key, ...figures].join(", ")})
    select ${[...key.map(source), ...figures.map((figure) => `sum(counter_delta.${figure})`)].join(", ")}
    from counter_delta cross join cell on cell.id = counter_delta.cell
      left join website on website.id = cell.website_id left join publisher on publisher.id = website.publisher_id
    where true group by ${key.map((_, index) => index + 1).join(", ")}
    on conflict (${key.join(", ")}) do update
      set ${figures.map((figure) => `${figure} = ${figure} + excluded.${figure}`).join(", ")}`,
);

/**
 * What waits for the counters are the lines that wait: it is not appended a second time. What waits is settled, the counters
 * here and the lines by `migrate`. PostgreSQL, where counters never wait, keeps the empty table: reports of programs of before,
 * which may be running beside this one, read it.
 */
export const oneWait: Migration = {
  up: async (db) => {
    for (const statement of [...settle, "drop table counter_delta"]) await sql.raw(statement).execute(db);
  },
  postgres: { oldestProgram: 26, up: [] },
};
