import type { Client } from "pg";
import { type PostgresServer, startPostgres } from "../../testing/postgres-server.ts";
import { askingOf } from "./asking.ts";
import { connect } from "./connect.ts";
import { databaseOver } from "./database.ts";
import { migrateAt } from "./open-catalogue.ts";
import { createPool } from "./pool.ts";

const template = "template_of_tests";

/** A server with databases for tests, each with the schema and nothing else. */
export async function startServer() {
  const server: PostgresServer = await startPostgres();
  await server.administer(`create database ${template}`);
  await migrateAt(server.url(template));
  let databases = 0;
  const newDatabase = async () => {
    databases += 1;
    const name = `test_${databases}`;
    await server.administer(`create database ${name} template ${template}`);
    const url = server.url(name);
    const pool = createPool({ url, name: "offers tests" });
    const db = databaseOver(pool);
    const clients: Client[] = [];
    return {
      name,
      url,
      db,
      pool,
      ask: askingOf(pool),
      /** A connection of one's own, for transactions that stay open. */
      client: async (): Promise<Client> => {
        const client = await connect({ url, name: "offers tests" });
        clients.push(client);
        return client;
      },
      close: async () => {
        await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
        await db.destroy();
      },
    };
  };
  return { server, newDatabase, remove: server.remove };
}

export type TestServer = Awaited<ReturnType<typeof startServer>>;
export type TestDatabase = Awaited<ReturnType<TestServer["newDatabase"]>>;
