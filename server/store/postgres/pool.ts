import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { type ConnectOptions, connect } from "./connect.ts";

export type PoolOptions = ConnectOptions & {
  /** How many connections there are at the most; left out: four. */
  most?: number;
  /**
   * After so many milliseconds without an answer a connection is given up, and with it those that nobody uses: a server that
   * lost its power says no farewell.
   * Left out: never, for a change may take as long as it likes.
   */
  deadlineMs?: number;
};

/**
 * A few connections for what is not hot, made when they are needed, each to the host that takes writes at that moment. One
 * that has broken, or on which somebody has left a transaction open, is not used again. `end()` cuts off what is under way.
 */
export function createPool({ most = 4, deadlineMs, ...options }: PoolOptions): PostgresPool {
  const all = new Set<pg.Client>();
  const idle: pg.Client[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  let open = 0;
  let isEnded = false;

  const opened = async (): Promise<pg.Client> => {
    open += 1;
    try {
      const client = await connect(options);
      if (isEnded) {
        void client.end().catch(() => undefined);
        throw new Error("the pool has ended");
      }
      all.add(client);
      const leave = (): void => {
        if (!all.delete(client)) return;
        const at = idle.indexOf(client);
        if (at >= 0) idle.splice(at, 1);
        freeSlot();
      };
      client.on("error", leave);
      client.on("end", leave);
      return client;
    } catch (error) {
      freeSlot();
      // Nor would those who wait get one: trying for each of them in turn would keep the last one waiting for minutes.
      for (const { reject } of waiting.splice(0)) reject(error);
      throw error;
    }
  };
  const freeSlot = (): void => {
    open -= 1;
    waiting.shift()?.resolve();
  };
  const take = async (): Promise<pg.Client> => {
    for (;;) {
      if (isEnded) throw new Error("the pool has ended");
      const client = idle.pop();
      if (client !== undefined) return client;
      if (open < most) return opened();
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      await turn.promise;
    }
  };
  const giveUp = (silent: pg.Client): void => {
    // Ending it while a question is under way cuts the connection, and the question rejects. An idle one would wait for an answer.
    void silent.end().catch(() => undefined);
    for (const other of idle.splice(0)) other.connection.stream.destroy();
  };
  return {
    options: {},
    connect: async (): Promise<PostgresPoolClient> => {
      const client = await take();
      return {
        query: deadlineMs === undefined ? queryOf(client) : withinDeadline(client, deadlineMs, giveUp),
        release: (): void => {
          if (!all.has(client)) return;
          if (client.getTransactionStatus() !== "I") return void client.end().catch(() => undefined);
          idle.push(client);
          waiting.shift()?.resolve();
        },
      };
    },
    end: async (): Promise<void> => {
      isEnded = true;
      for (const { resolve } of waiting.splice(0)) resolve();
      await Promise.all([...all].map((client) => client.end().catch(() => undefined)));
    },
  };
}

const queryOf = (client: pg.Client) => client.query.bind(client) as PostgresPoolClient["query"];

const withinDeadline = (
  client: pg.Client,
  deadlineMs: number,
  giveUp: (silent: pg.Client) => void,
): PostgresPoolClient["query"] => {
  const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
  const asking = async (...asked: unknown[]): Promise<unknown> => {
    const timer = setTimeout(giveUp, deadlineMs, client);
    try {
      return await query(...asked);
    } finally {
      clearTimeout(timer);
    }
  };
  return asking as PostgresPoolClient["query"];
};
