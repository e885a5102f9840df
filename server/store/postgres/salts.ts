import { randomBytes } from "node:crypto";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Log } from "../../core/log-events.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { isLockedByAnother, storageTrouble } from "./storage-trouble.ts";

/** The key of a UTC day's visitor hashes. `day`: its number. */
export type Salt = { day: number; salt: string };

/**
 * Keeps the visitors' salts: those of yesterday, today and tomorrow exist, so that midnight finds its own ready, and one
 * whose day began 48 hours ago or more is destroyed. They stand in a table that is in no log of changes, no backup and on no
 * standby, and is therefore empty after a crash or where another server has taken over: whoever still knows them writes
 * them back before anybody makes new ones.
 */
export type SaltKeeping = {
  /** Resolves with all that are kept, oldest first, at `now` (milliseconds since the epoch). `found`: those of the table. */
  keep(found: readonly Salt[], now: number): Promise<readonly Salt[]>;
};

/** One that knows no salt of an empty table leaves the others so much time to write back theirs. */
const othersHaveMs = 3000;
const lookEveryMs = 100;
/** Another node was there so short a time ago that it may be there yet. */
const livedWithinMs = 5 * 60 * 1000;
/** Whoever reads the table waits behind the lock that is waited for, so it is not asked for with each poll. */
const lockRestMs = 60_000;

export function prepareSalts(pool: PostgresPool, log: Log): SaltKeeping {
  let known: readonly Salt[] = [];
  let lockAt = Number.NEGATIVE_INFINITY;
  return {
    keep: async (found, now) => {
      const oldest = dayNumber(now) - 1;
      const needed = [oldest, oldest + 1, oldest + 2];
      const lacks = (salts: readonly Salt[]) =>
        needed.filter((day) => !salts.some((salt) => salt.day === day));
      let salts = found;
      if (lacks(salts).length > 0) {
        salts = await withClient(pool, async (client) => {
          const lost = known.filter(({ day }) => lacks(salts).includes(day));
          if (lost.length > 0) {
            await insert(client, lost);
            log({ event: "visitor_salts_restored" });
          } else if (salts.length === 0) await othersTurn(client);
          const missing = lacks(await read(client));
          await insert(
            client,
            missing.map((day) => ({ day, salt: randomBytes(32).toString("base64url") })),
          );
          return read(client);
        });
      }
      // The clock may have been set back.
      const mayLock = now >= lockAt || now < lockAt - lockRestMs;
      if (salts.some(({ day }) => day < oldest) && mayLock) {
        try {
          salts = await withClient(pool, (client) => destroy(client, oldest));
        } catch (error) {
          // Such as a `pg_dump`, which holds the table until it has ended.
          if (!isLockedByAnother(error)) throw error;
          lockAt = now + lockRestMs;
          log({ event: "housekeeping_waits", code: storageTrouble(error)?.code ?? "" });
        }
      }
      known = salts.filter(({ day }) => day >= oldest);
      return known;
    },
  };
}

/** Those who are there already, or quicker, have the word: there is one salt a day for all of them. */
const insert = async (client: PostgresPoolClient, salts: readonly Salt[]): Promise<void> => {
  if (salts.length === 0) return;
  await client.query(
    `insert into visitor_salt (day, salt) select * from unnest($1::bigint[], $2::text[])
     on conflict (day) do nothing`,
    [salts.map(({ day }) => day), salts.map(({ salt }) => salt)],
  );
};

const read = async (client: PostgresPoolClient): Promise<Salt[]> =>
  (await client.query<Salt>("select day, salt from visitor_salt order by day", [])).rows;

/** Waits until another node has written something back, if there is one that might. */
const othersTurn = async (client: PostgresPoolClient): Promise<void> => {
  const { rows } = await client.query<{ others: boolean }>(
    `select exists (select 1 from node where seen_at > extract(epoch from clock_timestamp()) * 1000 - $1) as others`,
    [livedWithinMs],
  );
  if (rows[0]?.others !== true) return;
  for (let waited = 0; waited < othersHaveMs; waited += lookEveryMs) {
    if ((await read(client)).length > 0) return;
    await new Promise((resume) => setTimeout(resume, lookEveryMs));
  }
};

/**
 * Removes what is older. A row that is deleted stays on the disk until somebody needs its room, so the table's file is
 * replaced by one that never had it. Under the lock it is read again: another node may have been quicker.
 */
const destroy = async (client: PostgresPoolClient, oldest: number): Promise<Salt[]> => {
  await client.query("begin", []);
  try {
    await client.query("set local lock_timeout = 500", []);
    await client.query("lock table visitor_salt in access exclusive mode", []);
    const salts = await read(client);
    const left = salts.filter(({ day }) => day >= oldest);
    if (left.length < salts.length) {
      await client.query("truncate visitor_salt", []);
      await insert(client, left);
    }
    await client.query("commit", []);
    return left;
  } catch (error) {
    await client.query("rollback", []).catch(() => undefined);
    throw error;
  }
};

const withClient = async <T>(
  pool: PostgresPool,
  work: (client: PostgresPoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
};
