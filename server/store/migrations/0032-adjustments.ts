import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const statements = ({ number, text, end }: Record<"number" | "text" | "end", string>): string[] => [
  `alter table advertiser add column currency ${text}`,
  // Until now it was that of its first offer.
  `update advertiser set currency = (
    select currency from offer where offer.advertiser_id = advertiser.id order by offer.number limit 1)`,
  `create table ledger_note (
    advertiser ${number} not null, line ${number} not null, note ${text} not null,
    primary key (advertiser, line))${end}`,
];

/**
 * In what an advertiser pays, and what is noted of its deposits and adjustments. The notes stand apart from the ledger: nearly all
 * of its lines are bills, which have none, and an index that finds adjustments among them would read all of them once.
 */
export const adjustments: Migration = {
  up: async (db) => {
    const ofSqlite = statements({ number: "integer", text: "text", end: " strict, without rowid" });
    for (const statement of ofSqlite) await sql.raw(statement).execute(db);
  },
  postgres: {
    oldestProgram: 26,
    up: statements({ number: "bigint", text: 'text collate "C"', end: "" }),
  },
};
