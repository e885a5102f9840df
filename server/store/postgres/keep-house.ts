import type { Log } from "../../core/log-events.ts";
import { advisoryLocks } from "../advisory-locks.ts";
import { connect } from "./connect.ts";
import { rememberWebsites, settleDetail } from "./detail.ts";
import { dropOldPartitions, preparePartitions } from "./partitions.ts";
import { purgeFacts, purgePassing } from "./purge.ts";
import { storageTrouble } from "./storage-trouble.ts";
import type { Client } from "./transaction.ts";

/** Whoever does not keep house asks this often whether nobody does. */
const askEveryMs = 5000;
const minuteMs = 60_000;
/** Lines that wait cost each report of hours; these are some 5,000. */
const mostBytesWaiting = 40_000;
/** Between two transactions of a long piece of work, in which others come to their turn. */
const restMs = 20;

export type Housekeeping = {
  /** Begins to do what is due at `now` (milliseconds since the epoch), if this node keeps house and is not at it. */
  look(now: number): void;
  /** Resolves when nothing is under way any more; another node may keep house then. */
  stop(): Promise<void>;
};

type Options = {
  url: string;
  /** For how many days events are kept one by one; null: for ever. */
  eventsKeptDays: number | null;
  log: Log;
};

/**
 * Does what one node does for all, on a connection of its own, as long as it holds the lock: settles lines, deletes what has
 * had its time, and makes and drops partitions. Whatever is cut off is done again, by this node or the next one.
 */
export function startHousekeeping({ url, eventsKeptDays, log }: Options): Housekeeping {
  let keeper: Keeper | null = null;
  let working: Promise<void> | null = null;
  let askAt = Number.NEGATIVE_INFINITY;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  /** The time by which what is under way has begun, and whether a look came with an earlier one: its clock was wrong. */
  let begunAt = Number.NEGATIVE_INFINITY;
  let isSetBack = false;

  const complain = (error: unknown): void => {
    if (isStopped || performance.now() - complainedAt < minuteMs) return;
    complainedAt = performance.now();
    const trouble = storageTrouble(error);
    if (trouble === null) log({ event: "events_not_purged", message: String(error) });
    else log({ event: "housekeeping_waits", code: trouble.code });
  };
  const work = async (now: number): Promise<void> => {
    if (keeper === null) {
      if (performance.now() < askAt) return;
      askAt = performance.now() + askEveryMs;
      keeper = await becomeKeeper(url, () => {
        keeper = null;
        askAt = Number.NEGATIVE_INFINITY;
      });
    }
    await keeper?.keep(now, { eventsKeptDays, log, isStopped: () => isStopped || isSetBack });
  };
  return {
    look: (now) => {
      if (now < begunAt) isSetBack = true;
      if (isStopped || working !== null) return;
      begunAt = now;
      isSetBack = false;
      working = work(now)
        .catch(complain)
        .finally(() => {
          working = null;
        });
    },
    stop: async () => {
      isStopped = true;
      await keeper?.leave();
      await working;
      await keeper?.leave();
    },
  };
}

type Keeper = { keep: (now: number, options: KeepOptions) => Promise<void>; leave: () => Promise<void> };

/** Null: another node keeps house. `onLost`: this one does not any more. */
const becomeKeeper = async (url: string, onLost: () => void): Promise<Keeper | null> => {
  const client = await connect({
    url,
    name: "offers housekeeping",
    settings: {
      statement_timeout: 60_000,
      lock_timeout: 2000,
      // A node that has lost its power says no farewell, and its lock would stay for hours.
      idle_session_timeout: 30_000,
      idle_in_transaction_session_timeout: 10_000,
      // Few keys of a large table: by its index, whatever the statistics say of a young one.
      enable_hashjoin: "off",
      enable_mergejoin: "off",
      enable_seqscan: "off",
    },
  });
  const leave = (): Promise<void> => client.end().catch(() => undefined);
  try {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      advisoryLocks.keepingHouse,
    ]);
    if (rows[0]?.mine === true) {
      client.on("error", onLost);
      client.on("end", onLost);
      return { keep: prepareKeeping(client), leave };
    }
  } catch (error) {
    await leave();
    throw error;
  }
  await leave();
  return null;
};

type KeepOptions = Omit<Options, "url"> & { isStopped: () => boolean };

/** Prepares what does whatever is due, as often as it is asked. */
export function prepareKeeping(client: Client): Keeper["keep"] {
  const websites = rememberWebsites();
  const isMinute = everyMinute();
  const isTimeToComplain = everyMinute();
  return async (now, { eventsKeptDays, log, isStopped }) => {
    const again = async (step: () => Promise<boolean>): Promise<void> => {
      while (!isStopped() && (await step())) await new Promise((resume) => setTimeout(resume, restMs));
    };
    const isDue = isMinute(now);
    /** Tells itself of lines that cannot be settled: nothing of what is promised hangs on that, and it comes with every look. */
    const settle = async (): Promise<void> => {
      try {
        if (!isDue && (await bytesWaiting(client)) < mostBytesWaiting) return;
        await again(() => settleDetail(client, websites));
      } catch (error) {
        if (storageTrouble(error) !== null) throw error;
        if (!isStopped() && isTimeToComplain(now))
          log({ event: "lines_not_settled", message: String(error) });
      }
    };
    const eachMinute = [
      async () => {
        const stranded = await preparePartitions(client, now);
        for (const { day, facts } of stranded) log({ event: "partition_not_made", day, facts });
      },
      () => again(() => purgePassing(client, now, eventsKeptDays)),
      () => again(() => purgeFacts(client, now, eventsKeptDays, websites)),
      () => dropOldPartitions(client, now, eventsKeptDays),
      () => removeDeadNodes(client),
    ];
    const failures: unknown[] = [];
    // One that fails, or is in somebody's way, does not keep the others from being done.
    for (const step of isDue ? [settle, ...eachMinute] : [settle]) {
      if (isStopped()) break;
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
}

/** Says once a minute that it is time, and again after a clock was set back. */
const everyMinute = (): ((now: number) => boolean) => {
  let last = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now >= last && now - last < minuteMs) return false;
    last = now;
    return true;
  };
};

const bytesWaiting = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ bytes: number }>(
    "select coalesce(sum(length(lines)), 0)::bigint as bytes from detail_delta",
  );
  return rows[0]?.bytes ?? 0;
};

/** A node that was not seen for a day has ended without a word; one that only slept registers anew. */
const removeDeadNodes = async (client: Client): Promise<void> => {
  await client.query(
    "delete from node where seen_at < extract(epoch from clock_timestamp()) * 1000 - 24 * 60 * 60 * 1000",
  );
};
