import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectionsWithin, openFileLimit } from "./open-files.ts";

it.each([
  [Number.POSITIVE_INFINITY, 10_000],
  [20_000, 10_000],
  [10_256, 10_000],
  [10_255, 9_999],
  [1024, 768],
  [288, 32],
  [170, 32],
])("of %d open files %d may be connections", (openFiles, connections) => {
  expect(connectionsWithin(openFiles)).toBe(connections);
});

it.each([
  [
    "Max processes             96202                96202                processes \nMax open files            1024                 4096                 files     \n",
    1024,
  ],
  [
    "Max open files            unlimited            unlimited            files     \n",
    Number.POSITIVE_INFINITY,
  ],
  ["", Number.POSITIVE_INFINITY],
  [null, Number.POSITIVE_INFINITY],
])("the limit on open files is read of %j", (limits, openFiles) => {
  const proc = mkdtempSync(join(tmpdir(), "offers-proc-"));
  try {
    mkdirSync(join(proc, "self"));
    if (limits !== null) writeFileSync(join(proc, "self/limits"), limits);
    expect(openFileLimit(proc)).toBe(openFiles);
  } finally {
    rmSync(proc, { recursive: true });
  }
});
