import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { type ConnectOptions, connect } from "./connect.ts";
import type { Copy } from "./copy-rows.ts";
import { sendAll } from "./pipeline.ts";

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

/** As Kysely wants them, and with what it does not know. */
export type Pool = Omit<PostgresPool, "connect"> & { connect(): Promise<PoolClient> };
export type PoolClient = PostgresPoolClient & {
  /** Writes rows that no log of the server tells, as it tells the values of a statement where it is told to. */
  copy(copy: Copy): Promise<void>;
};

/**
 * A few connections for what is not hot, made when they are needed, each to the host that takes writes at that moment. One
 * that has broken, or on which somebody has left a transaction open, is not used again. `end()` cuts off what is under way.
 */
export function createPool({ most = 4, deadlineMs, ...options }: PoolOptions): Pool {
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
    connect: async (): Promise<PoolClient> => {
      const client = await take();
      const within: Within =
        deadlineMs === undefined ? (ask) => ask() : deadlineOf(client, deadlineMs, giveUp);
      const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
      return {
        query: ((...asked: unknown[]) => within(() => query(...asked))) as PostgresPoolClient["query"],
        copy: async (copy) => {
          const { failed } = await within(() => sendAll(client, [copy]));
          if (failed !== null) throw failed.error;
        },
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

/** Waits for an answer of the server, as long as it may take. */
type Within = <T>(ask: () => Promise<T>) => Promise<T>;

const deadlineOf =
  (client: pg.Client, deadlineMs: number, giveUp: (silent: pg.Client) => void): Within =>
  async (ask) => {
    const timer = setTimeout(giveUp, deadlineMs, client);
    try {
      return await ask();
    } finally {
      clearTimeout(timer);
    }
  };
