import type { RunNote } from "@offers/contract/dash/operator";
import { expect, it } from "vitest";
import { commandRuns } from "./command-runs.ts";

it.each([
  ["SQLite 3.53.0", ["backup", "recount", "audit"]],
  ["PostgreSQL 18.1", ["recount", "audit"]],
])("the runs of %s are %j, whatever is noted of others", (database, kinds) => {
  const runs: RunNote[] = [
    { kind: "audit", at: 2, isGood: true, says: "adds up" },
    { kind: "backup", at: 1, isGood: true, says: "from before the move" },
  ];
  const rows = commandRuns({
    runs,
    versions: { program: "1.0.0", node: "v24.0.0", database, schema: "0001" },
  });
  expect(rows.map(({ kind }) => kind)).toEqual(kinds);
  expect(rows.find(({ kind }) => kind === "audit")?.run).toBe(runs[0]);
  expect(rows.find(({ kind }) => kind === "recount")?.run).toBeUndefined();
});
