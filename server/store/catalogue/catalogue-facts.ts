import type { Now } from "@offers/contract/dash/operator";
import { type Kysely, sql } from "kysely";
import { ofProgram } from "../dialects.ts";
import type { Schema } from "../schema.ts";

/** How much the catalogue holds, by which layout, and in which version of the database's program. */
export async function readFacts(
  db: Kysely<Schema>,
): Promise<Pick<Now, "catalogue"> & { schema: string; database: string }> {
  const { schema: schemaOf, database: databaseOf } = ofProgram(db);
  const { rows } = await sql<Now["catalogue"] & { schema: string; database: string }>`
    select (select version from catalogue_version where id = 1) as version,
      (select count(*) from publisher) as publishers, (select count(*) from website) as websites,
      (select count(*) from offer) as offers, (select count(*) from offer where status = 'active') as "activeOffers",
      ${schemaOf} as schema, ${databaseOf} as database`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new TypeError("the database answers nothing");
  const { schema, database, ...catalogue } = row;
  return { catalogue, schema, database };
}
