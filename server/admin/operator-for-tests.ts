import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Kysely } from "kysely";
import { readConfig } from "../config.ts";
import { byTests } from "../store/catalogue/catalogue-for-tests.ts";
import type { DatabaseAddress } from "../store/database-address.ts";
import type { Schema } from "../store/schema.ts";
import { engineOfTests, newDatabase, openBeside, type TestDatabase } from "../testing/engine-of-tests.ts";
import { type Observed, observeDatabase } from "../testing/observe-database.ts";
import { runAdmin } from "./run-admin.ts";

/** The time at which every command of a test runs. */
export const testTime = Date.parse("2026-11-20T12:00:00Z");

/** What a program is told in its environment, so that it works on that database. */
export function environmentOf(address: DatabaseAddress, dataDir: string): Record<string, string> {
  if (address.engine === "sqlite") return { DATA_DIR: dirname(address.file), DURABILITY: "relaxed" };
  return {
    ...{ DATA_DIR: dataDir, DURABILITY: "relaxed", DATABASE_URL: address.url },
    TOKEN_SECRET: "a secret that all nodes of the tests share",
  };
}

/** An operator at a fresh data directory; on a server's engine with a database of their own as well. */
export function newOperator() {
  const dataDir = mkdtempSync(join(tmpdir(), "admin-"));
  const databaseFile = join(dataDir, "offers.sqlite");
  let database: Promise<TestDatabase> | null = null;
  const addressed = async (): Promise<DatabaseAddress> => {
    // The first command makes the file, as an operator's own does.
    if (engineOfTests === "sqlite") return { engine: "sqlite", file: databaseFile, durability: "relaxed" };
    database ??= newDatabase(dataDir);
    return (await database).address;
  };
  /** What a test lets happen while a command waits; it moves the command's clock, too. */
  const outside = { now: testTime, isAnswering: true, isHeard: true, onPause: () => undefined as unknown };

  const environment = async () => environmentOf(await addressed(), dataDir);

  /** Runs one command line in this process. */
  const run = async (args: readonly string[], given?: Record<string, string>) => {
    let [out, err] = ["", ""];
    const env = given ?? (await environment());
    const code = await runAdmin(args, {
      readConfig: () => readConfig(env),
      now: () => outside.now,
      pause: async (milliseconds) => {
        outside.now += milliseconds;
        await outside.onPause();
      },
      userName: () => "ada",
      isAnswering: async () => outside.isAnswering,
      print: (text) => {
        out += text;
      },
      complain: (text) => {
        err += text;
      },
      isHeard: () => outside.isHeard,
    });
    return { code, out, err };
  };

  /** Runs a command line that has to work, and returns what `--json` prints. */
  const done = async (line: string, ...values: string[]) => {
    const { code, out, err } = await run([...line.split(" "), ...values, "--json"]);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };

  /** Opens the database beside the commands for one look, or for one deed. */
  const beside = async <T>(look: (db: Kysely<Schema>) => Promise<T>): Promise<T> => {
    const { db, close } = openBeside(await addressed(), byTests);
    try {
      return await look(db);
    } finally {
      await close();
    }
  };
  /** The same for all that is stored. */
  const observe = async <T>(look: (observed: Pick<Observed, "stored" | "dump">) => T): Promise<T> => {
    const { close, ...observed } = await observeDatabase(await addressed());
    try {
      return look(observed);
    } finally {
      await close();
    }
  };

  return {
    dataDir,
    /** Of SQLite. */
    databaseFile,
    environment,
    outside,
    run,
    done,
    beside,
    observe,
    version: () =>
      beside(async (db) => {
        const row = await db.selectFrom("catalogue_version").select("version").executeTakeFirstOrThrow();
        return row.version;
      }),
    leave: async () => {
      await (await database)?.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Operator = ReturnType<typeof newOperator>;

/** What `offer create` needs besides an advertiser. */
export const offerWords = [
  ...["--brand", "Skyhop Travel", "--vertical", "travel", "--title", "Two nights by the sea"],
  ...["--geo", "de,US-NJ", "--payout-model", "CPC", "--payout-micros", "450000"],
  ...["--landing-url", "https://skyhop.example/?c={click_id}"],
];

/** A publisher with a website, and an advertiser with an offer. */
export async function setUp({ done }: Operator) {
  const { publisherId, publicKey } = await done("publisher create --name", "Pier");
  const site = ["--name", "Pier", "--origin", "https://pier.example", "--vertical", "news"];
  const { websiteKey } = await done("website create --publisher", publisherId, ...site);
  const { advertiserId } = await done("advertiser create --name", "Skyhop", "--balance-micros", "5000000");
  const { offerId } = await done("offer create --advertiser", advertiserId, ...offerWords);
  return { publisherId, publicKey, websiteKey, advertiserId, offerId };
}
