import type pg from "pg";
import type { SharedWindows } from "../../core/shared-windows.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import { startDeadline } from "./deadline.ts";

/** The shared counts of calls, over a connection of their own. */
export type RateWindows = SharedWindows & {
  /** Resolves when it is connected and knows the clock and the nodes; rejects when no server can be reached. */
  open(): Promise<void>;
  close(): Promise<void>;
};

/** A connection that has not answered for so long is given up; whoever asked went on long before. */
const deadlineMs = 1000;
/** A node that was not seen for so long is not counted among the living. */
const unseenMs = 10_000;
/** Nobody waits for it. */
const sweepDeadlineMs = 60_000;
/** Trips whose shortest tells the difference of the clocks. */
const trips = 5;

/** Sorted by key, so that no two nodes wait for each other in a circle. */
const addition = `insert into rate_window as kept (key, window_no, calls)
  select key, $3::bigint, calls from unnest($1::bytea[], $2::bigint[]) as told (key, calls)
  on conflict (key, window_no) do update set calls = kept.calls + excluded.calls
  returning encode(key, 'hex') as key, calls`;

const beat = `select extract(epoch from clock_timestamp())::float8 * 1000 as now, (select count(distinct split_part(id, '/', 1)) from node
  where seen_at > extract(epoch from clock_timestamp()) * 1000 - ${unseenMs}) as nodes`;

/**
 * Prepares the connection that calls are counted over. It has the main thread's event loop and no other's: in a thread that
 * reads reports, callers would wait behind those. What is lost with it is one minute's counts at the most: the table is
 * unlogged, and a commit waits for no disk and no standby.
 * @param more.beatMs how often the clock and the nodes are asked for, and a lost connection is made anew.
 * @param more.sweepMs ended windows are removed once in so long, by whichever node comes to it.
 */
export function prepareRateWindows(
  url: string,
  { beatMs = 2000, sweepMs = 60_000 }: { beatMs?: number; sweepMs?: number } = {},
): RateWindows {
  const options: ConnectOptions = {
    url,
    name: "offers limits",
    settings: {
      synchronous_commit: "off",
      statement_timeout: deadlineMs,
      plan_cache_mode: "force_generic_plan",
    },
  };
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sweepAt = Number.POSITIVE_INFINITY;
  let isClosed = false;
  let living = 1;
  /** The server's clock less this process's own, which no administrator sets; by the latest trips. */
  let measured: { ms: number; tripMs: number }[] = [];

  const drop = (lost: pg.Client): void => {
    if (client === lost) client = null;
    // What is under way rejects with that.
    void lost.end().catch(() => undefined);
  };
  // The library wants to be asked one thing at a time.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    const answer = last.then(() => askNow<Row>(query));
    last = answer.catch(() => undefined);
    return answer;
  };
  const askNow = async <Row extends pg.QueryResultRow>(
    query: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> => {
    const asked = client;
    if (asked === null) throw new Error("there is no connection to count calls over");
    const callOff = startDeadline(deadlineMs, () => drop(asked));
    try {
      return await asked.query<Row>(query);
    } finally {
      callOff();
    }
  };
  const reconnect = async (): Promise<void> => {
    const made = await connect(options);
    if (isClosed) return void made.end().catch(() => undefined);
    made.on("error", () => drop(made));
    made.on("end", () => drop(made));
    client = made;
    // Another server may have another clock.
    measured = [];
    for (let trip = 0; trip < trips; trip += 1) await takePulse();
  };
  const takePulse = async (): Promise<void> => {
    const sentAt = performance.now();
    const { rows } = await ask<{ now: number; nodes: number }>({ name: "beat", text: beat });
    const [row] = rows;
    if (row === undefined) return;
    const tripMs = performance.now() - sentAt;
    measured = [...measured.slice(1 - trips), { ms: row.now - sentAt - tripMs / 2, tripMs }];
    living = Math.max(1, row.nodes);
  };
  const sweep = async (): Promise<void> => {
    // So that all nodes together sweep about once in `sweepMs`.
    sweepAt = performance.now() + sweepMs * living * (0.5 + Math.random());
    // On another connection: nobody's call waits behind it.
    const sweeper = await connect({
      ...options,
      settings: { ...options.settings, statement_timeout: sweepDeadlineMs },
    });
    try {
      await sweeper.query("delete from rate_window where window_no < $1", [endedBefore(clock())]);
    } finally {
      await sweeper.end().catch(() => undefined);
    }
  };
  const beatOnce = async (): Promise<void> => {
    if (client === null) {
      connecting ??= reconnect().finally(() => {
        connecting = null;
      });
      await connecting;
    } else await takePulse();
    if (performance.now() > sweepAt) await sweep();
  };
  const clock = (): number => {
    const [first, ...others] = measured;
    if (first === undefined) return Date.now();
    const best = others.reduce((one, other) => (other.tripMs < one.tripMs ? other : one), first);
    return performance.now() + best.ms;
  };

  return {
    open: async () => {
      await beatOnce();
      sweepAt = performance.now() + sweepMs * Math.random();
      // Whoever counts finds out that there is no connection, and tells it.
      timer = setInterval(() => void beatOnce().catch(() => undefined), beatMs);
      timer.unref();
    },
    add: async (calls, window) => {
      const sorted = [...calls].sort(([one], [other]) => (one < other ? -1 : 1));
      const values = [sorted.map(([key]) => `\\x${key}`), sorted.map(([, number]) => number), window];
      const { rows } = await ask<{ key: string; calls: number }>({ name: "add", text: addition, values });
      return new Map(rows.map(({ key, calls: number }) => [key, number]));
    },
    forget: async (key, window) => {
      const text = "delete from rate_window where key = $1::bytea and window_no = $2";
      await ask({ name: "forget", text, values: [`\\x${key}`, window] });
    },
    clock,
    nodes: () => living,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      const last = client;
      client = null;
      if (last === null) return;
      const deadline = setTimeout(() => last.connection.stream.destroy(), deadlineMs);
      await last.end().catch(() => undefined);
      clearTimeout(deadline);
    },
  };
}

/** A call may have been on its way for some seconds when its window ended. */
const endedBefore = (now: number): number => Math.floor(now / 60_000) - 1;
