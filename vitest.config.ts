import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "**/dist/**"];
/** Those that put a real service under load, race it or kill it. */
const promises = [
  ...["crashes", "floods", "races"].map((name) => `bench/${name}.test.ts`),
  "server/store/spool/spool-crash.test.ts",
  "server/store/sqlite/crash.test.ts",
];
/** Those that hold a service up and take the time of its answers. */
const timed = [
  "bench/held-up.test.ts",
  "server/routes/dash/sign-in-load.test.ts",
  "server/routes/held-lock.test.ts",
  "server/store/sqlite/locked-database.test.ts",
];

/** Those that are about what an engine stores: they are run once more on PostgreSQL. */
const onBothEngines = [
  ...["admin", "demo", "oauth", "routes", "store/catalogue", "store/books"].map(
    (room) => `server/${room}/**/*.test.ts`,
  ),
  "server/store/dialects.test.ts",
  "server/metrics/metrics.test.ts",
];
/** Their subject is a file: its lock, its disk, its copy. */
const ofSqliteAlone = [
  "server/admin/backing-up.test.ts",
  "server/admin/full-disk.test.ts",
  "server/routes/held-lock.test.ts",
];

/** They start what needs a server, or hold the engines beside each other. */
const ofPostgresAlone = [
  "server/main-on-postgres.test.ts",
  "server/store/postgres/role-limits.test.ts",
  "server/store/postgres/same-answers.test.ts",
  "server/store/postgres/same-schema.test.ts",
  "server/store/postgres/spend-lock.test.ts",
];

/** It reads which endpoints all other tests have called, so that it runs last. */
const coverage = "server/routes/endpoint-coverage.test.ts";
// This file is read once for each project, and all of them must mean one folder.
process.env.NOTED_CALLS ??= mkdtempSync(join(tmpdir(), "offers-calls-"));
const notedCalls = process.env.NOTED_CALLS;
process.once("exit", () => rmSync(notedCalls, { recursive: true, force: true }));

/** What takes longer: generated clients, every command of the pages, and more of PostgreSQL than the races of `npm test`. */
const long = [
  ...["operations", "production-commands", "guide", "readme", "postgresql-commands"].map(
    (name) => `bench/${name}.test.ts`,
  ),
  ...["container", "confined"].map((name) => `bench/release/${name}.test.ts`),
  "bench/clients/clients.test.ts",
  "bench/cluster/start.test.ts",
  "server/store/move/move.test.ts",
  ...[
    "commit-unknown",
    "housekeeping",
    "postgres",
    "reader",
    "recording",
    "same-as-sqlite",
    "writer-session",
  ].map((name) => `server/store/postgres/${name}.test.ts`),
];
/** Of what takes longer, that in which a time is promised. */
const longTimed = [
  "bench/floods-whole.test.ts",
  "bench/outages.test.ts",
  "bench/proxies/proxies.test.ts",
  "server/log/flooded-log.test.ts",
  "server/log/unwritable-log.test.ts",
  "server/metrics/database-lost.test.ts",
  ...["fence", "long-outage", "pool", "start-writer"].map((name) => `server/store/postgres/${name}.test.ts`),
];

/** On two cores Vitest would take one alone, though half of what the tests do is wait. */
/** No more than have ports of their own (server/testing/free-port.ts). */
const maxWorkers = Math.min(24, Math.max(2, availableParallelism() - 1));

export default defineConfig({
  test: {
    environment: "node",
    // The threads that a store starts are compiled once, as those of the service are.
    execArgv: ["--import", join(import.meta.dirname, "server/compile-cache.ts")],
    // A flaky test is a defect: nothing is tried twice.
    retry: 0,
    // The second of Vitest's own is short on a machine that has something else to do.
    expect: { poll: { timeout: 10_000 } },
    env: { NOTED_CALLS: notedCalls },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{contract,server,embed,dashboard,demo-site,bench}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, ...promises, ...timed, ...long, ...longTimed, ...ofPostgresAlone, coverage],
          globalSetup: "server/testing/say-without-postgres.ts",
          testTimeout: 40_000,
          hookTimeout: 60_000,
          maxWorkers,
          // Named, and not the default of 0: where there is one worker alone, that one would come last of all.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...onBothEngines, ...ofPostgresAlone],
          exclude: [...exclude, ...ofSqliteAlone, coverage],
          env: { STORE_ENGINE: "postgres" },
          globalSetup: "server/testing/postgres-of-the-run.ts",
          // What is one look at a file there is a question to another process here.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers,
          sequence: { groupOrder: 7 },
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: long,
          exclude,
          globalSetup: "server/testing/say-without-postgres.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Most of what they do is wait for processes that they have started.
          maxWorkers: Math.max(3, maxWorkers),
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        test: {
          name: "long-timed",
          include: longTimed,
          exclude,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 6 },
        },
      },
      {
        extends: true,
        test: {
          name: "endpoints",
          include: [coverage],
          exclude,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: "promises",
          include: promises,
          exclude,
          testTimeout: 40_000,
          hookTimeout: 60_000,
          maxWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // Afterwards and one by one, with the machine to itself.
        test: {
          name: "timed",
          include: timed,
          exclude,
          testTimeout: 40_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
