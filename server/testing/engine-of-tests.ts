import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import type { DatabaseAddress } from "../store/database-address.ts";
import * as postgres from "../store/postgres/database.ts";
import * as postgresCatalogue from "../store/postgres/open-catalogue.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import * as sqliteCatalogue from "../store/sqlite/open-catalogue.ts";
import { administer } from "./postgres-server.ts";

/** An empty database that has the schema, and its end: files, and whoever is connected yet. */
export type TestDatabase = { address: DatabaseAddress; remove(): Promise<void> };

/** Which engine the tests of this run are about: SQLite, but in the project that names PostgreSQL. */
export const engineOfTests: DatabaseAddress["engine"] =
  process.env.STORE_ENGINE === "postgres" ? "postgres" : "sqlite";

/** Makes a database of the engine that the tests are about; of SQLite below `parent`. */
export function newDatabase(parent: string = tmpdir()): Promise<TestDatabase> {
  return engineOfTests === "postgres" ? newPostgresDatabase(parent) : newSqliteDatabase(parent);
}

/** The catalogue of a database as one more process has it, on connections of its own, which `close` ends. */
export function openBeside(
  address: DatabaseAddress,
  by: Pick<CatalogueHandle, "actor" | "clock">,
): CatalogueHandle & { close(): Promise<void> } {
  if (address.engine === "postgres") {
    const db = postgres.openDatabase({ url: address.url, name: "offers tests" });
    return { ...postgresCatalogue.changing(db, by), close: () => db.destroy() };
  }
  const { db } = openDatabase({ file: address.file, durability: "relaxed", busyTimeoutMs: 5 });
  return { ...sqliteCatalogue.changing({ db }, by), close: () => db.destroy() };
}

/** The database that every other one is a copy of, on the server that `postgresOfTests` names. */
export const templateOfTests = "template_of_tests";

/** Where the run's own server is: its setup says so to every worker. */
export const postgresOfTests = "POSTGRES_OF_TESTS";

const newSqliteDatabase = async (parent: string): Promise<TestDatabase> => {
  const directory = mkdtempSync(join(parent, "database-"));
  const file = join(directory, "offers.sqlite");
  const database = openDatabase({ file, durability: "relaxed" });
  await migrate(database);
  await database.db.destroy();
  return {
    // Nothing here outlives the test, so no commit needs to wait for the disk.
    address: { engine: "sqlite", file, durability: "relaxed" },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
};

const newPostgresDatabase = async (parent: string): Promise<TestDatabase> => {
  const server = process.env[postgresOfTests];
  if (server === undefined) throw new Error("no PostgreSQL was started: run the project `postgres`");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const directory = mkdtempSync(join(parent, "node-"));
  await administer(server, `create database ${name} template ${templateOfTests}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    address: {
      engine: "postgres",
      url: url.href,
      durability: "relaxed",
      needsSyncStandby: false,
      spoolFile: join(directory, "spool.sqlite"),
    },
    remove: async () => {
      await administer(server, `drop database ${name} with (force)`);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
