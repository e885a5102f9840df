import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newOperator } from "../../admin/operator-for-tests.ts";
import { postgresOfTests } from "../../testing/engine-of-tests.ts";
import { administer } from "../../testing/postgres-server.ts";
import { newInstallation, noon } from "../move/installation-for-tests.ts";
import { moveToPostgres } from "../move/move.ts";
import { prepareErasing } from "./erase.ts";

/** What a hoster, or whoever looks after the server, has limited the sessions of a role or a database to. */
const limits = ["statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"];

test("the command line's work takes as long as it needs, whatever the database's own limits are", async () => {
  const server = process.env[postgresOfTests] ?? "";
  const name = `limited_${randomBytes(8).toString("hex")}`;
  await administer(server, `create database ${name}`);
  onTestFinished(() => administer(server, `drop database ${name} with (force)`));
  const limit = async (setting: string) =>
    administer(server, `alter database ${name} set ${setting} = '1ms'`);
  for (const setting of limits) await limit(setting);
  const url = new URL(server);
  url.pathname = `/${name}`;

  const installation = await newInstallation();
  onTestFinished(installation.remove);
  const { source } = installation;
  const moved = await moveToPostgres({ source, to: url.href, clock: () => noon, say: () => undefined });
  expect(moved.isWhole).toBe(true);

  // An idle session is the pool's to lose, and is made anew.
  await administer(server, `alter database ${name} reset idle_session_timeout`);
  const operator = newOperator();
  onTestFinished(operator.leave);
  const environment = { ...(await operator.environment()), DATABASE_URL: url.href };
  for (const command of ["recount", "audit"]) {
    expect(await operator.run([command], environment)).toMatchObject({ code: 0, err: "" });
  }
  expect((await prepareErasing(url.href, 2000).website(2)).events).toBeGreaterThan(0);
});
