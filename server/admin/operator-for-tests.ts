import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { runAdmin } from "./run-admin.ts";

/** The time at which every command of a test runs. */
export const testTime = Date.parse("2026-11-20T12:00:00Z");

/** An operator at a fresh data directory. */
export function newOperator() {
  const dataDir = mkdtempSync(join(tmpdir(), "admin-"));
  const databaseFile = join(dataDir, "offers.sqlite");
  /** What a test lets happen while a command waits; it moves the command's clock, too. */
  const outside = { now: testTime, isAnswering: true, onPause: () => undefined as unknown };

  /** Runs one command line in this process. */
  const run = async (
    args: readonly string[],
    env: Record<string, string> = { DATA_DIR: dataDir, DURABILITY: "relaxed" },
  ) => {
    let [out, err] = ["", ""];
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
    });
    return { code, out, err };
  };

  /** Runs a command line that has to work, and returns what `--json` prints. */
  const done = async (line: string, ...values: string[]) => {
    const { code, out, err } = await run([...line.split(" "), ...values, "--json"]);
    if (code !== 0 || err !== "") throw new Error(`${line} ended with ${code}: ${err}`);
    return JSON.parse(out);
  };

  /** Opens the database beside the commands for one look, or for one deed. */
  const beside = <T>(look: (database: ReturnType<typeof openDatabase>) => T): T => {
    const database = openDatabase({ file: databaseFile, durability: "relaxed" });
    try {
      return look(database);
    } finally {
      database.sqlite.close();
    }
  };

  return {
    dataDir,
    databaseFile,
    outside,
    run,
    done,
    beside,
    version: () =>
      beside(({ sqlite }) => Number(sqlite.prepare("select version from catalogue_version").pluck().get())),
    leave: () => rmSync(dataDir, { recursive: true, force: true }),
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
