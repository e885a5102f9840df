import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { startPostgres } from "../../testing/postgres-server.ts";
import { connect } from "./connect.ts";
import { openDatabase } from "./database.ts";
import { changing, migrateAt } from "./open-catalogue.ts";
import { type PostgresBatchWriter, prepareBatchWriter } from "./write-batch.ts";
import { writerSettings } from "./writer-settings.ts";

/** A server of its own, on which databases are made that have the schema and are empty. */
export async function startDatabases() {
  const server = await startPostgres({ settings: { fsync: "off" } });
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
    remove: server.remove,
  };
}

/** So many writers on a database, each with a connection and a memory of its own. */
export async function openWriters(
  url: string,
  count: number,
): Promise<{ writers: PostgresBatchWriter[]; close: () => Promise<void> }> {
  const clients = await Promise.all(
    Array.from({ length: count }, () =>
      connect({ url, name: "tests", settings: writerSettings, pipeline: true }),
    ),
  );
  return {
    writers: clients.map((client) => prepareBatchWriter(client)),
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}
