import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { engineOfTests } from "../testing/engine-of-tests.ts";
import { newOperator, type Operator } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

const spawned = async (...args: string[]) => {
  const file = fileURLToPath(new URL("main.ts", import.meta.url));
  const env = { PATH: process.env.PATH ?? "", ...(await operator.environment()) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
};

test("the program writes its answer to one stream, its refusals to the other, and ends with the code", async () => {
  const made = await spawned("publisher", "create", "--name", "Zoë & Söhne", "--json");
  const begun = `note: there was no database: made ${operator.databaseFile}\n`;
  expect(made).toMatchObject({ status: 0, stderr: engineOfTests === "sqlite" ? begun : "" });
  const { publisherId } = JSON.parse(made.stdout);
  expect(await operator.done("publisher list")).toMatchObject([{ publisherId, name: "Zoë & Söhne" }]);
  const refused = await spawned("publisher", "create");
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toContain("--name is missing");
});

test("an answer that cannot be written ends with 4 and says so, for it is done all the same", async () => {
  const file = fileURLToPath(new URL("main.ts", import.meta.url));
  const env = { PATH: process.env.PATH ?? "", ...(await operator.environment()) };
  const full = openSync("/dev/full", "w");
  const words = ["publisher", "create", "--name", "A"];
  const ended = spawnSync(process.execPath, [file, ...words], {
    env,
    encoding: "utf8",
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  expect(ended).toMatchObject({
    status: 4,
    stderr: expect.stringMatching(/^the command is done, but its answer could not be written: ENOSPC/m),
  });
  expect(await operator.done("publisher list")).toMatchObject([{ name: "A" }]);
});

test("nobody who reads its refusals is no failure of the program", async () => {
  const file = fileURLToPath(new URL("main.ts", import.meta.url));
  const env = { PATH: process.env.PATH ?? "", ...(await operator.environment()) };
  const child = spawn(process.execPath, [file, "publisher", "pase"], { env });
  child.stderr.destroy();
  child.stdout.resume();
  const [code] = await once(child, "exit");
  expect(code).toBe(2);
});
