import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newOperator } from "../../admin/operator-for-tests.ts";
import { postgresOfTests } from "../../testing/engine-of-tests.ts";
import { administer } from "../../testing/postgres-server.ts";
import { newInstallation, noon } from "../move/installation-for-tests.ts";
import { moveToPostgres } from "../move/move.ts";
import { connect } from "./connect.ts";
import { prepareErasing } from "./erase.ts";

/** What a hoster, or whoever looks after the server, has limited the sessions of a role or a database to. */
const limits = ["statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"];

const newDatabase = async () => {
  const server = process.env[postgresOfTests] ?? "";
  const name = `limited_${randomBytes(8).toString("hex")}`;
  await administer(server, `create database ${name}`);
  onTestFinished(() => administer(server, `drop database ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, alter: (change: string) => administer(server, `alter database ${name} ${change}`) };
};

test("the command line's work takes as long as it needs, whatever the database's own limits are", async () => {
  const { url, alter } = await newDatabase();
  for (const setting of limits) await alter(`set ${setting} = '1ms'`);

  const installation = await newInstallation();
  onTestFinished(installation.remove);
  const { source } = installation;
  const moved = await moveToPostgres({ source, to: url, clock: () => noon, say: () => undefined });
  expect(moved.isWhole).toBe(true);

  // An idle session is the pool's to lose, and is made anew.
  await alter("reset idle_session_timeout");
  const operator = newOperator();
  onTestFinished(operator.leave);
  const environment = { ...(await operator.environment()), DATABASE_URL: url };
  for (const command of ["recount", "audit"]) {
    expect(await operator.run([command], environment)).toMatchObject({ code: 0, err: "" });
  }
  expect((await prepareErasing(url, 2000).website(2)).events).toBeGreaterThan(0);
});

/** How that setting stands in a session of ours; null: the server does not know it. */
const settingOf = async (url: string, name: string): Promise<string | null> => {
  const client = await connect({ url, name: "tests" });
  try {
    const { rows } = await client.query<{ setting: string | null }>(
      "select current_setting($1, true) as setting",
      [name],
    );
    return rows[0]?.setting ?? null;
  } finally {
    await client.end();
  }
};

test("no transaction is limited in time, where the server knows such a limit", async (context) => {
  const { url, alter } = await newDatabase();
  // PostgreSQL 15 and 16 do not.
  if ((await settingOf(url, "transaction_timeout")) === null) return context.skip();
  await alter("set transaction_timeout = '10s'");
  expect(await settingOf(url, "transaction_timeout")).toBe("0");
});

test("each statement sees what was committed before it, whatever the database's own default is", async () => {
  const { url, alter } = await newDatabase();
  await alter("set default_transaction_isolation = 'repeatable read'");
  expect(await settingOf(url, "transaction_isolation")).toBe("read committed");
});
