import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(async () => {
  operator = newOperator();
  await setUp(operator);
});
afterEach(() => operator.leave());

describe("backing up", () => {
  test("writes a database that holds the same", async () => {
    const to = join(operator.dataDir, "copy", "offers.sqlite");
    mkdirSync(join(operator.dataDir, "copy"));
    expect(await operator.done("backup --to", to)).toMatchObject({ file: to, bytes: expect.any(Number) });
    const copied = await operator.run(["offer", "list", "--json"], {
      DATA_DIR: join(operator.dataDir, "copy"),
      DURABILITY: "relaxed",
    });
    const offers = await operator.done("offer list");
    expect(offers).toHaveLength(1);
    expect(JSON.parse(copied.out)).toEqual(offers);
  });

  test("refuses a place that is not there", async () => {
    const to = join(operator.dataDir, "none", "copy.sqlite");
    const { code, err } = await operator.run(["backup", "--to", to]);
    expect(code).toBe(2);
    expect(err).toMatch(/--to: no directory/);
    expect(existsSync(to)).toBe(false);
  });
});
