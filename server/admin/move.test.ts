import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newInstallation } from "../store/move/installation-for-tests.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { runWith } from "./run-for-tests.ts";

/** One command line of an operator with that environment, who is told nothing of a service. */
const run = (words: readonly string[], env: Record<string, string>) =>
  runWith(words, {
    env: { DURABILITY: "relaxed", ...env },
    now: () => Date.UTC(2026, 4, 4, 12),
    isAnswering: false,
  });

const secret = "a secret that is long enough for any of the tests";

describe.skipIf(findPostgres() === null)("admin move", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: "off" } });
  });
  afterAll(() => server?.remove());

  it("tells what was compared and what is to be set then, without the password, and its progress apart", async () => {
    await server.administer("create database told");
    const { directory, file, remove } = await newInstallation();
    onTestFinished(remove);
    const to = server.url("told").replace("offers@", "offers:hidden@");
    const { code, out, err } = await run(["move", "--to", to, "--json"], { DATA_DIR: directory });
    expect(code, err).toBe(0);
    const name = `postgres://127.0.0.1:${server.port}/told`;
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({ from: file, to: name, isWhole: true });
    expect(answer.checks).toHaveLength(6);
    expect(answer.tables).toContainEqual({ table: "website", rows: 3 });
    expect(answer.next).toEqual([
      `DATABASE_URL: ${name}, as it was given`,
      `TOKEN_SECRET: as the service had it, for there is no ${join(directory, "token-secret")}; where no service has run, a new one`,
      expect.stringMatching(/^within two days, when all is well: remove \S+offers\.sqlite\* /),
    ]);
    expect(err).toContain("website: all 3 rows\n");
    expect(out + err).not.toContain("hidden");
    const again = await run(["move", "--to", to], { DATA_DIR: directory, TOKEN_SECRET: secret });
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^0 rows copied in 0\.0 s .*\n\nTo be set on every node:\n {2}DATABASE_URL: .*\n {2}.*\n\nTo be done within two days, .*: remove /,
      ),
      err: expect.stringContaining("has been moved into the target already; nothing was changed\n"),
    });
    const after = await run(["audit"], { DATA_DIR: directory, TOKEN_SECRET: secret, DATABASE_URL: to });
    expect(after).toMatchObject({ code: 0, out: expect.stringContaining("every figure agrees") });
  });
});

it.each([
  ["an address of something else", ["--to", "https://db.example/offers"], {}, 2, "--to: must be postgres://"],
  [
    "a database that is on PostgreSQL already",
    ["--to", "postgres://127.0.0.1:1/offers"],
    { DATABASE_URL: "postgres://127.0.0.1:1/offers", TOKEN_SECRET: secret },
    2,
    "DATABASE_URL is set",
  ],
  [
    "a directory without a database",
    ["--to", "postgres://127.0.0.1:1/offers"],
    {},
    3,
    "is DATA_DIR the service's?",
  ],
])("admin move refuses %s, and makes no file", async (_, words, env, code, says) => {
  const directory = mkdtempSync(join(tmpdir(), "move-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ended = await run(["move", ...words], { DATA_DIR: directory, ...env });
  expect(ended).toMatchObject({ code, out: "", err: expect.stringContaining(says) });
});
