import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const renamed = ["beacon", "hop"].map((name) => `alter table fact rename column ${name}_at to ${name}_after`);

const counted = `update fact set beacon_after = beacon_after - at, hop_after = hop_after - at
  where beacon_after is not null or hop_after is not null`;

/** What a row says twice is said once: moments of the same fact, and the parts of a cell (decisions.md#slim-rows). */
export const slimRows: Migration = {
  up: async (db) => {
    for (const statement of [...renamed, counted]) await sql.raw(statement).execute(db);
    await sql`create table slim_cell (
      id integer primary key, website_id integer not null, country text not null, region text not null,
      vertical text not null, surface text not null, test integer not null, currency text not null,
      device integer not null)`.execute(db);
    await sql`insert into slim_cell
      select id, website_id, country, region, vertical, surface, test, currency, device from cell order by id`.execute(
      db,
    );
    await sql`drop table cell`.execute(db);
    await sql`alter table slim_cell rename to cell`.execute(db);
    await sql`create index cell_of_place on cell (website_id, country, region, device)`.execute(db);
  },
  postgres: { oldestProgram: 26, up: [...renamed, counted] },
};
