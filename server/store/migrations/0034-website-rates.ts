import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statements = ({ number, text, end }: Record<"number" | "text" | "end", string>): string[] => [
  // What a program of before counts goes in as views of a usual website, which this one took all of them to be until now.
  `alter table rate_count add column surplus_milli ${number} not null default 0`,
  `create table website_rate (
    website_id ${number} not null, surface ${text} not null, clicks ${number} not null,
    expected_millionths ${number} not null, changed ${number} not null,
    primary key (website_id, surface))${end}`,
];

/** How much more or less often offers are clicked on a website's surface than elsewhere, and what views there weigh by it. */
export const websiteRates: Migration = {
  up: async (db) => {
    const ofSqlite = statements({ number: "integer", text: "text", end: " strict, without rowid" });
    for (const statement of ofSqlite) await sql.raw(statement).execute(db);
  },
  postgres: {
    oldestProgram: 26,
    up: [
      ...statements({ number: "bigint", text: 'text collate "C"', end: " with (fillfactor = 50)" }),
      "create index website_rate_changed on website_rate (changed)",
    ],
  },
};
