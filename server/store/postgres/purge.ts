import { keptSince } from "../../core/kept-events.ts";
import { requestKeysSince } from "../../core/request-key.ts";
import { passing } from "../rows/passing.ts";
import { closeFacts } from "./closing.ts";
import type { WebsitesOfCells } from "./detail.ts";
import { type Client, transact } from "./transaction.ts";

/**
 * Deletes rows that have had their time at `now` (milliseconds since the epoch), some of each kind and each kind by itself, so
 * that nobody waits long; resolves with whether there may be more. A kind that fails, or is in somebody's way, keeps no other
 * from going: where nothing else is left, it rejects with the first failure.
 * @param keptDays for how many days pings are kept; null: for ever.
 */
export async function purgePassing(client: Client, now: number, keptDays: number | null): Promise<boolean> {
  let isFull = false;
  const failures: unknown[] = [];
  for (const { table, key, age, keptMs, atOnce } of passing(keptDays)) {
    if (keptMs === Number.POSITIVE_INFINITY) continue;
    const old = `select * from ${table} where ${age} <= $1 order by ${age} limit ${atOnce}`;
    const purge = async (): Promise<void> => {
      if (table === "decline_session") await lockKeptSessions(client, old, [now - keptMs]);
      const { rowCount } = await client.query(
        // Asked once more: a row that somebody writes anew just then is old no longer.
        `delete from ${table} where ${age} <= $1 and (${key}) in (select ${key} from (${old}) as old)`,
        [now - keptMs],
      );
      if (rowCount === atOnce) isFull = true;
    };
    await transact(client, purge).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0 && !isFull) throw failures[0];
  return isFull;
}

/**
 * Waits for whoever opens sessions on the websites whose sessions are to be deleted, as they wait for each other: by the
 * counts of sessions first, in the order of websites.
 */
export async function lockKeptSessions(
  client: Client,
  sessions: string,
  values: readonly unknown[],
): Promise<void> {
  await client.query(
    `select 1 from decline_kept where website_id = 0 or website_id in (select website_id from (${sessions}) as old)
     order by website_id for update`,
    [...values],
  );
}

/** Deleted at a time: some tens of milliseconds, in which nobody waits who does not change one of them. */
const factsAtOnce = 1000;

/**
 * Deletes the oldest facts of requests that were made more than `keptDays` days before `now` (milliseconds since the epoch),
 * 1,000 at the most, and keeps what they had added; resolves with whether there may be more.
 */
export async function purgeFacts(
  client: Client,
  now: number,
  keptDays: number | null,
  websites: WebsitesOfCells,
): Promise<boolean> {
  const since = keptSince(now, keptDays);
  if (since === null) return false;
  const old = { where: "request < $1", values: [requestKeysSince(since)], most: factsAtOnce };
  const { rows } = await client.query(`select 1 from fact where ${old.where} limit 1`, old.values);
  if (rows.length === 0) return false;
  return (await closeFacts(client, old, websites)) === factsAtOnce;
}
