import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { type ConnectOptions, connect } from "./connect.ts";

/**
 * A few connections for what is not hot, made when they are needed, each to the host that takes writes at that moment. One
 * that has broken, or on which somebody has left a transaction open, is not used again.
 */
export function createPool(options: ConnectOptions, most = 4): PostgresPool {
  const idle: pg.Client[] = [];
  const waiting: ((slot: undefined) => void)[] = [];
  const broken = new WeakSet<pg.Client>();
  let open = 0;
  let isEnded = false;

  const opened = async (): Promise<pg.Client> => {
    open += 1;
    try {
      const client = await connect(options);
      const leave = (): void => {
        if (broken.has(client)) return;
        broken.add(client);
        const at = idle.indexOf(client);
        if (at >= 0) idle.splice(at, 1);
        freeSlot();
      };
      client.on("error", leave);
      client.on("end", leave);
      return client;
    } catch (error) {
      freeSlot();
      throw error;
    }
  };
  const freeSlot = (): void => {
    open -= 1;
    waiting.shift()?.(undefined);
  };
  const take = async (): Promise<pg.Client> => {
    for (;;) {
      if (isEnded) throw new Error("the pool has ended");
      const client = idle.pop();
      if (client !== undefined) return client;
      if (open < most) return opened();
      await new Promise<undefined>((resume) => waiting.push(resume));
    }
  };
  return {
    options: {},
    connect: async (): Promise<PostgresPoolClient> => {
      const client = await take();
      return {
        query: client.query.bind(client) as PostgresPoolClient["query"],
        release: (): void => {
          if (broken.has(client)) return;
          if (isEnded) return void client.end().catch(() => undefined);
          idle.push(client);
          waiting.shift()?.(undefined);
        },
      };
    },
    end: async (): Promise<void> => {
      isEnded = true;
      for (const resume of waiting.splice(0)) resume(undefined);
      await Promise.all(idle.splice(0).map((client) => client.end().catch(() => undefined)));
    },
  };
}
