import type { Client } from "pg";
import { type Ask, askingOf } from "./asking.ts";
import { connect } from "./connect.ts";
import { createPool } from "./pool.ts";
import { startDatabases } from "./postgres-for-tests.ts";

/** A server with databases for tests, and statements on them as they stand. */
export async function startServer() {
  const { server, newDatabase, remove } = await startDatabases();
  return {
    server,
    newDatabase: async () => {
      const database = await newDatabase();
      const pool = createPool({ url: database.url, name: "tests" });
      const clients: Client[] = [];
      return {
        ...database,
        pool,
        ask: askingOf(pool) as Ask,
        /** A connection of one's own, for transactions that stay open. */
        client: async (): Promise<Client> => {
          const client = await connect({ url: database.url, name: "tests" });
          clients.push(client);
          return client;
        },
        close: async () => {
          await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
          await Promise.all([pool.end(), database.close()]);
        },
      };
    },
    remove,
  };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;
export type TestDatabase = Awaited<ReturnType<TestServer["newDatabase"]>>;
