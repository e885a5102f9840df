import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forbiddenIn } from "../testing/log-search.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { type Sample, scrape, valueUnder } from "../testing/read-metrics.ts";

let server: PostgresServer;
let dataDir: string;
let child: ChildProcess;
let output = "";
const secret = "a secret that nobody else has in this test";

/** What is told, and that it took less than a second. */
const scrapeQuickly = async (): Promise<Sample[]> => {
  const startedAt = performance.now();
  const port = /"metrics_open","port":(\d+)/.exec(output)?.[1];
  const samples = await scrape(`http://[::1]:${port}/metrics`);
  expect(performance.now() - startedAt).toBeLessThan(1000);
  return samples;
};
const ofDatabase = ["bytes", "wal_written_bytes_total"].map((name) => `offers_database_${name}`);

describe.skipIf(findPostgres() === null)("metrics beside a database that is lost", () => {
  beforeAll(async () => {
    server = await startPostgres();
    await server.administer("create database lost");
    dataDir = mkdtempSync(join(tmpdir(), "offers-metrics-"));
    child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts")], {
      env: {
        ...{ PATH: process.env.PATH, PORT: "0", DATA_DIR: dataDir, METRICS_HOST: "::1", METRICS_PORT: "0" },
        ...{ DATABASE_URL: server.url("lost"), DURABILITY: "relaxed" },
        TOKEN_SECRET: secret,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString();
    });
  });
  afterAll(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
    await server.remove();
    rmSync(dataDir, { recursive: true });
    expect(forbiddenIn(output, [secret])).toEqual([]);
  });

  test("scrapes go on while the database is lost, say so, and have its figures again when it is back", async () => {
    await expect.poll(() => output, { timeout: 50_000 }).toContain("ready at");
    const before = await scrapeQuickly();
    expect(valueUnder(before, "offers_build_info", { engine: "postgres" })).toBe(1);
    expect(valueUnder(before, "offers_database_up")).toBe(1);
    for (const name of ofDatabase) expect(valueUnder(before, name), name).toBeGreaterThan(0);
    expect(valueUnder(before, "offers_spool_entries")).toBe(0);
    for (const thread of ["main", "reader", "writer", "spool"]) {
      expect(valueUnder(before, "offers_thread_cpu_seconds_total", { thread }), thread).toBeGreaterThan(0);
    }
    for (const lane of ["money", "plain"]) {
      expect(valueUnder(before, "offers_journal_waiting_entries", { lane }), lane).toBe(0);
    }

    await server.kill();
    await expect
      .poll(async () => valueUnder(await scrapeQuickly(), "offers_database_up"), { timeout: 20_000 })
      .toBe(0);
    await expect
      .poll(async () => valueUnder(await scrapeQuickly(), "offers_ready"), { timeout: 20_000 })
      .toBe(0);
    const lost = await scrapeQuickly();
    for (const name of ofDatabase) expect(valueUnder(lost, name), name).toBeUndefined();
    expect(valueUnder(lost, "offers_journal_refusing", { lane: "plain" })).toBe(1);
    expect(valueUnder(lost, "offers_snapshot_age_seconds")).toBeGreaterThan(0);

    await server.start();
    await expect
      .poll(async () => valueUnder(await scrapeQuickly(), "offers_database_up"), { timeout: 20_000 })
      .toBe(1);
    await expect
      .poll(async () => valueUnder(await scrapeQuickly(), "offers_ready"), { timeout: 20_000 })
      .toBe(1);
    expect(valueUnder(await scrapeQuickly(), "offers_database_bytes")).toBeGreaterThan(0);
  });
});
