import { onTestFinished } from "vitest";
import { startPostgres } from "../../testing/postgres-server.ts";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { connect } from "./connect.ts";
import { openDatabase } from "./database.ts";
import { changing, migrateAt } from "./open-catalogue.ts";
import { prepareBatchWriter } from "./write-batch.ts";
import { writerSettings } from "./writer-settings.ts";

/** Nothing here outlives the tests: no commit needs to wait for the disk. */
const fleeting = { fsync: "off", full_page_writes: "off", autovacuum: "off" };

/** A server of its own, on which databases are made that have the schema and are empty. */
export async function startDatabases() {
  const server = await startPostgres({ settings: fleeting });
  const template = "template_of_tests";
  await server.administer(`create database ${template}`);
  await migrateAt(server.url(template));
  let made = 0;
  return {
    server,
    newDatabase: async () => {
      made += 1;
      const name = `test_${made}`;
      await server.administer(`create database ${name} template ${template}`);
      const url = server.url(name);
      const db = openDatabase({ url, name: "tests" });
      return { url, ...changing(db, byTests), close: () => db.destroy() };
    },
    /** One statement, to the server itself. */
    ask: async (statement: string) => {
      const client = await connect({ url: server.url("postgres"), name: "tests" });
      try {
        return await client.query(statement);
      } finally {
        await client.end();
      }
    },
    remove: server.remove,
  };
}

/** A writer with a connection and a memory of its own, which `close` ends. */
export async function openWriter(url: string, settings: Record<string, string | number> = {}) {
  const client = await connect({
    ...{ url, name: "tests", pipeline: true },
    settings: { ...writerSettings, ...settings },
  });
  return { ...prepareBatchWriter(client), client, close: () => client.end() };
}

/** So many of them, which end with the test. */
export async function openWriters(
  url: string,
  count: number,
  settings: Record<string, string | number> = {},
) {
  const writers = await Promise.all(Array.from({ length: count }, () => openWriter(url, settings)));
  onTestFinished(async () => void (await Promise.all(writers.map(({ close }) => close()))));
  return writers;
}
