import { migrateAt } from "../store/postgres/open-catalogue.ts";
import { postgresOfTests, templateOfTests } from "./engine-of-tests.ts";
import { startPostgres } from "./postgres-server.ts";

/** Nothing here outlives the run: no commit needs to wait for the disk, and a new database is written once. */
const fleeting = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  autovacuum: "off",
};

/** Starts one PostgreSQL for all tests of a run, with the schema in a database that theirs are copied from. */
export default async function startPostgresOfTheRun(): Promise<() => Promise<void>> {
  const server = await startPostgres({ settings: fleeting });
  try {
    await server.administer(`create database ${templateOfTests}`);
    await migrateAt(server.url(templateOfTests));
  } catch (error) {
    await server.remove();
    throw error;
  }
  // Workers are started later, with what the environment has by then.
  process.env[postgresOfTests] = server.url("postgres");
  return server.remove;
}
