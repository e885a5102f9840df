import { startPostgres } from "../../server/testing/postgres-server.ts";
import type { Engine } from "../cluster/start-nodes.ts";

/** Runs with the environment of a service on that engine: a file of its own, or a PostgreSQL that is made for it. */
export async function onDatabase<T>(
  engine: Engine,
  run: (environment: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (engine === "sqlite") return run({});
  const server = await startPostgres();
  try {
    await server.administer("create database offers");
    return await run({ DATABASE_URL: server.url("offers") });
  } finally {
    await server.remove();
  }
}
