import { randomBytes } from "node:crypto";
import type { Log } from "../../core/log-events.ts";
import { saltDays } from "../../core/salt-days.ts";
import { copyOf } from "./copy-rows.ts";
import type { Pool, PoolClient } from "./pool.ts";
import { isLockedByAnother, storageTrouble } from "./storage-trouble.ts";

/** The key of a UTC day's visitor hashes. `day`: its number. */
export type Salt = { day: number; salt: string };

/**
 * Keeps the visitors' salts: those of `saltDays` exist, and older ones are destroyed. They stand in a table that is in no log of changes, no backup and on no
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

export function prepareSalts(pool: Pool, log: Log): SaltKeeping {
  let known: readonly Salt[] = [];
  let lockAt = Number.NEGATIVE_INFINITY;
  return {
    keep: async (found, now) => {
      const needed = saltDays(now);
      const [oldest] = needed;
      const lacks = (salts: readonly Salt[]) =>
        needed.filter((day) => !salts.some((salt) => salt.day === day));
      let salts = found;
      if (lacks(salts).length > 0) {
        salts = await withClient(pool, async (client) => {
          const isLost = known.some(({ day }) => lacks(found).includes(day));
          if (!isLost && found.length === 0) await othersTurn(client);
          const whole = await complete(client, lacks, (day) => known.find((salt) => salt.day === day)?.salt);
          if (isLost) log({ event: "visitor_salts_restored" });
          return whole;
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

/**
 * Writes those that are lacking, as they are known or else new ones, and reads them all. Those who are there already, or
 * quicker, have the word: there is one salt a day for all of them.
 */
const complete = async (
  client: PoolClient,
  lacks: (salts: readonly Salt[]) => number[],
  knownOf: (day: number) => string | undefined,
): Promise<Salt[]> => {
  let missing: number[] = [];
  for (;;) {
    const salts = await read(client);
    const before = missing.length;
    missing = lacks(salts);
    if (missing.length === 0) return salts;
    try {
      await insert(
        client,
        missing.map((day) => ({ day, salt: knownOf(day) ?? randomBytes(32).toString("base64url") })),
      );
    } catch (error) {
      // Whoever was quicker has written one at least.
      if (!isThereAlready(error) || missing.length === before) throw error;
    }
  }
};

/** By COPY: the server may note the values of any other statement in its log, which is kept for longer than a salt. */
const insert = (client: PoolClient, salts: readonly Salt[]): Promise<void> =>
  client.copy(
    copyOf(
      "visitor_salt",
      ["day", "salt"],
      salts.map(({ day, salt }) => [day, salt]),
    ),
  );

const isThereAlready = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "23505";

const read = async (client: PoolClient): Promise<Salt[]> =>
  (await client.query<Salt>("select day, salt from visitor_salt order by day", [])).rows;

/** Waits until another node has written something back, if there is one that might. */
const othersTurn = async (client: PoolClient): Promise<void> => {
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
const destroy = async (client: PoolClient, oldest: number): Promise<Salt[]> => {
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

const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
};
