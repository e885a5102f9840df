import { keptSince } from "../../core/kept-events.ts";
import { requestKeysSince, requestTimeOf } from "../../core/request-key.ts";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
import { type Client, transact } from "./transaction.ts";

/** Midnight finds its partition ready though nobody has kept house for days. */
const daysAhead = 3;
/** Facts of requests that are older than this are of no real request, and stay where they are. */
const oldestDays = 400;
/** Moving more would keep writers waiting: they stay where they are, which costs a little with each write. */
const mostMoved = 100_000;
/** Writers wait behind whoever waits for them, so that is not for long. */
const lockTimeoutMs = 200;

/** How many facts stay in the partition for the rest, where they would be moved from if they were fewer. */
export type Stranded = { day: number; facts: number };

/**
 * Makes the partitions of yesterday, today and the three days ahead of `now` (milliseconds since the epoch), and of days of
 * which facts are in the partition for the rest: those are moved. Resolves with what is too much to be moved. Throws the
 * server's error where writers keep it waiting: what was made stays, and the next attempt goes on.
 */
export async function preparePartitions(client: Client, now: number): Promise<Stranded[]> {
  const today = dayNumber(now);
  const present = new Set(await partitionDays(client));
  const ahead = Array.from({ length: daysAhead + 2 }, (_, index) => today - 1 + index);
  const stranded: Stranded[] = [];
  const add = async (day: number): Promise<void> => {
    if (present.has(day)) return;
    const facts = await addPartition(client, day);
    present.add(day);
    if (facts > mostMoved) stranded.push({ day, facts });
  };
  for (const day of ahead) await add(day);
  let from = startOfDay(today - oldestDays);
  for (let day = await dayOfRest(client, from); day !== null; day = await dayOfRest(client, from)) {
    if (day > today + daysAhead) break;
    await add(day);
    from = startOfDay(day + 1);
  }
  return stranded;
}

/**
 * Makes the partitions of all days since `first` (its number) as well, for facts of the past that are about to come. Those of
 * days that are too long ago have one in common: among the rest they would be read through, under its lock, by each
 * partition that is added.
 */
export async function preparePast(client: Client, first: number, now: number): Promise<void> {
  const today = dayNumber(now);
  const oldest = today - oldestDays;
  const days = await partitionDays(client);
  const present = new Set(days);
  // Of an attempt that began before midnight there may be a day that is too long ago by now.
  const firstOfOwn = Math.min(oldest, days[0] ?? oldest);
  if (first < firstOfOwn && !(await hasPartitionBefore(client))) {
    const bound = boundOf(requestKeysSince(startOfDay(firstOfOwn)));
    await client.query(
      `create table ${partitionBefore} partition of fact for values from (minvalue) to (${bound})`,
    );
  }
  for (let day = Math.max(first, oldest); day < today; day += 1) {
    if (!present.has(day)) await addPartition(client, day);
  }
  await preparePartitions(client, now);
}

const partitionBefore = "fact_before";

const hasPartitionBefore = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query("select 1 where to_regclass($1) is not null", [partitionBefore]);
  return rows.length > 0;
};

/** Drops the partitions of days whose facts have all been deleted, of those before what is kept. */
export async function dropOldPartitions(client: Client, now: number, keptDays: number | null): Promise<void> {
  const since = keptSince(now, keptDays);
  if (since === null) return;
  const oldest = dayNumber(since);
  for (const day of await partitionDays(client)) {
    if (day < oldest) await dropIfEmpty(client, day);
  }
}

/** The days (their numbers) that have a partition of their own, in their order. */
export async function partitionDays(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'fact'::regclass`,
  );
  return rows
    .flatMap(({ name }) => (/^fact_d\d+$/.test(name) ? [Number(name.slice("fact_d".length))] : []))
    .sort((one, other) => one - other);
}

const nameOf = (day: number): string => `fact_d${day}`;
const boundOf = (key: Buffer): string => `'\\x${key.toString("hex")}'`;

/**
 * Makes a day's partition with the facts of that day that are among the rest, unless they are too many; resolves with how
 * many there were. It is made apart and attached then, which holds up nobody but those who need the rest.
 */
async function addPartition(client: Client, day: number): Promise<number> {
  const [from, to] = [requestKeysSince(startOfDay(day)), requestKeysSince(startOfDay(day + 1))];
  const ofDay = "request >= $1 and request < $2";
  const counting = `select count(*) as facts from (select 1 from fact_rest where ${ofDay} limit ${mostMoved + 1}) as found`;
  const [found] = (await client.query<{ facts: number }>(counting, [from, to])).rows;
  if (found !== undefined && found.facts > mostMoved) return found.facts;
  return transact(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query("lock table fact_rest in access exclusive mode");
    await client.query(`create table ${nameOf(day)} (like fact including defaults including indexes)`);
    const { rowCount } = await client.query(
      `with moved as (delete from fact_rest where ${ofDay} returning *) insert into ${nameOf(day)} select * from moved`,
      [from, to],
    );
    await client.query(
      `alter table fact attach partition ${nameOf(day)} for values from (${boundOf(from)}) to (${boundOf(to)})`,
    );
    return rowCount ?? 0;
  });
}

const dayOfRest = async (client: Client, from: number): Promise<number | null> => {
  const { rows } = await client.query<{ request: Buffer }>(
    "select request from fact_rest where request >= $1 order by request limit 1",
    [requestKeysSince(from)],
  );
  return rows[0] === undefined ? null : dayNumber(requestTimeOf(rows[0].request));
};

const dropIfEmpty = async (client: Client, day: number): Promise<void> => {
  const { rows } = await client.query(`select 1 from ${nameOf(day)} limit 1`);
  if (rows.length > 0) return;
  await transact(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    // In the order in which writers lock them.
    await client.query("lock table only fact in access exclusive mode");
    await client.query(`lock table ${nameOf(day)} in access exclusive mode`);
    // Under the lock: what was empty a moment ago may have been written to, late as it is.
    const { rows: late } = await client.query(`select 1 from ${nameOf(day)} limit 1`);
    if (late.length === 0) await client.query(`drop table ${nameOf(day)}`);
  });
};
