import type { Insertable, Kysely } from "kysely";
import { sql } from "kysely";
import { figureColumns } from "../../core/figures.ts";
import { type CounterTable, counterKeys, type Schema } from "../schema.ts";

export type MadeCounter = Insertable<CounterTable>;

const no = { brands: [], verticals: [], offers: [] };
const permitsAll = JSON.stringify({ mode: "all", allow: no, block: no });

/** Publishers with so many websites each: `ws_1`, `ws_2` and so on, whose numbers are those of their keys. */
export async function makePublishers(db: Kysely<Schema>, websitesOfEach: readonly number[]): Promise<void> {
  for (const [index, websites] of websitesOfEach.entries()) {
    const id = `publisher_${index + 1}`;
    const shared = { created_at: 1, changed: 1 };
    await db
      .insertInto("publisher")
      .values({ id, name: id, public_key: `pub_${index + 1}`, ...shared })
      .execute();
    for (let website = 0; website < websites; website += 1) {
      const { id: number } = await db
        .insertInto("website")
        .values({
          key: `made_${index}_${website}`,
          publisher_id: id,
          ...{ name: "W", vertical: "news", own_brand: "", development: 0 },
          ...{ origins_json: "[]", geo_rule_json: "{}", settings_json: "{}", allowlist_json: permitsAll },
          ...shared,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db
        .updateTable("website")
        .set({ key: `ws_${number}` })
        .where("id", "=", number)
        .execute();
    }
  }
}

/** Makes both sums what the counters add up to, as the writer keeps them. */
export async function fillSums(db: Kysely<Schema>): Promise<void> {
  const columns = figureColumns.join(", ");
  const sums = figureColumns.map((column) => `sum(${column})`).join(", ");
  const ofDay = counterKeys.counter_day.join(", ");
  const ofPublisher = counterKeys.counter_publisher.join(", ");
  const grouped = counterKeys.counter_publisher
    .map((column) => (column === "publisher" ? "publisher.number" : `counter.${column}`))
    .join(", ");
  await db.deleteFrom("counter_day").execute();
  await sql
    .raw(
      `insert into counter_day (${ofDay}, ${columns}) select ${ofDay}, ${sums} from counter group by ${ofDay}`,
    )
    .execute(db);
  await db.deleteFrom("counter_publisher").execute();
  await sql
    .raw(
      `insert into counter_publisher (${ofPublisher}, ${columns}) select ${grouped}, ${sums}
       from counter join website on website.id = website_id join publisher on publisher.id = publisher_id
       group by ${grouped}`,
    )
    .execute(db);
}
