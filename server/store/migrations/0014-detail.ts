import { type Kysely, sql } from "kysely";

/**
 * Sums by hour, offer and placement, which `migrate` makes of the facts that are there, and what they need: an hour, offer
 * and placement of refused events without a fact (of those that are there, the day's first hour and none), and the
 * class of the device that a decline session was opened on. The counters lose the columns that were foreseen for that.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await remake(db, "unkept_event", {
    cell: "cell",
    hour: "day * 24 as hour",
    offer: "0 as offer",
    placement: "0 as placement",
  });
  const key = ["website_id", "day", "country", "vertical", "surface", "test", "currency"];
  await remake(db, "counter", Object.fromEntries(key.map((column) => [column, column])));
  await sql`create table detail (website_id integer not null, hour integer not null, lines blob not null,
    primary key (website_id, hour)) without rowid`.execute(db);
  await sql`create table detail_delta (number integer primary key, hour integer not null, lines blob not null)`.execute(
    db,
  );
  await db.schema
    .alterTable("decline_session")
    .addColumn("device", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}

const former = ["cell", "day", "offer", "brand", "placement", "device", "hour"];

/** Makes a table anew with this key, whose columns are read so from the old one, and all else that it has. */
const remake = async (db: Kysely<unknown>, table: string, key: Record<string, string>): Promise<void> => {
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info(${table})`.execute(db);
  const isKey = (name: string) => name in key || former.includes(name);
  const others = rows.filter(({ name }) => !isKey(name));
  const texts = ["country", "vertical", "surface", "currency"];
  const columns = [
    ...Object.keys(key).map((name) => `${name} ${texts.includes(name) ? "text" : "integer"} not null`),
    ...others.map(({ name, type }) => `${name} ${type} not null default 0`),
    `primary key (${Object.keys(key).join(", ")})`,
  ];
  const read = [...Object.values(key), ...others.map(({ name }) => name)];
  for (const statement of [
    `alter table ${table} rename to former_${table}`,
    `create table ${table} (${columns.join(", ")}) without rowid`,
    `insert into ${table} select ${read.join(", ")} from former_${table} where true`,
    `drop table former_${table}`,
  ]) {
    await sql.raw(statement).execute(db);
  }
};
