import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
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
  expect(made).toMatchObject({ status: 0, stderr: "" });
  const { publisherId } = JSON.parse(made.stdout);
  expect(await operator.done("publisher list")).toMatchObject([{ publisherId, name: "Zoë & Söhne" }]);
  const refused = await spawned("publisher", "create");
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toContain("--name is missing");
});
