import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readRunNotes } from "../store/catalogue/run-notes.ts";
import { whileLocked } from "./locked-for-tests.ts";
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

  const notes = () => operator.beside(readRunNotes);

  test("whose file cannot be written is noted, and says so of the file", async () => {
    const to = join(operator.dataDir, "x".repeat(250));
    const { code, out, err } = await operator.run(["backup", "--to", to]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^--to: cannot be written \(ENAMETOOLONG\)\nsee: /);
    expect(await notes()).toMatchObject([
      { kind: "backup", isGood: false, says: "--to: cannot be written (ENAMETOOLONG)" },
    ]);
  });

  test("that fails in another way is noted, too", async () => {
    const broken = vi.spyOn(BetterSqlite3.prototype, "backup").mockRejectedValue(new Error("by chance"));
    const { code } = await operator.run(["backup", "--to", join(operator.dataDir, "copy.sqlite")]);
    broken.mockRestore();
    expect(code).toBe(4);
    expect(await notes()).toMatchObject([{ kind: "backup", isGood: false, says: "by chance" }]);
  });

  test("tells that it could not be noted, whatever became of it", async () => {
    await operator.beside((db) =>
      whileLocked(db, async () => {
        const { err } = await operator.run(["backup", "--to", join(operator.dataDir, "x".repeat(250))]);
        expect(err).toMatch(/^--to: cannot be written .*\nnote: the dashboard will not tell of this run/);
      }),
    );
  });
});
