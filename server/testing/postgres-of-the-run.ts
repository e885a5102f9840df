import { migrateAt } from "../store/postgres/open-catalogue.ts";
import { postgresOfTests, templateOfTests } from "./engine-of-tests.ts";
import { startPostgres } from "./postgres-server.ts";

/** Starts one PostgreSQL for all tests of a run, with the schema in a database that theirs are copied from. */
export default async function startPostgresOfTheRun(): Promise<() => Promise<void>> {
  // Nothing here outlives the run, so no commit needs to wait for the disk.
  const server = await startPostgres({ settings: { fsync: "off" } });
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
