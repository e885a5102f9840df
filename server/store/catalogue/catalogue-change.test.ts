import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../sqlite/database.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { createPublisher } from "./publishers.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

test("what a change throws takes all of it back, the version too", async () => {
  const before = catalogue.version();
  const failing = changeCatalogue(catalogue.db, async (tx) => {
    await createPublisher(tx, { name: "A" }, { now: 1 });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(catalogue.version()).toBe(before);
  expect(catalogue.count("publisher")).toBe(0);
});

test("a change waits for the lock of another process and is then made once", async () => {
  const neighbour = openDatabase({ file: catalogue.file, durability: "relaxed" });
  const before = catalogue.version();
  const hasty = openDatabase({ file: catalogue.file, durability: "relaxed", busyTimeoutMs: 0 });
  neighbour.sqlite.exec("begin immediate");
  let refusals = 0;
  const waiting = createPublisher(
    hasty.db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === "UpdateQueryNode" && ++refusals === 3) neighbour.sqlite.exec("commit");
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
    { name: "A" },
    { now: 1 },
  );
  await waiting;
  expect(refusals).toBeGreaterThanOrEqual(3);
  expect(catalogue.version()).toBe(before + 1);
  expect(catalogue.count("publisher")).toBe(1);
  await neighbour.db.destroy();
  await hasty.db.destroy();
});

test("a change gives up when the lock is kept, and has written nothing", async () => {
  const neighbour = openDatabase({ file: catalogue.file, durability: "relaxed" });
  const hasty = openDatabase({ file: catalogue.file, durability: "relaxed", busyTimeoutMs: 0 });
  neighbour.sqlite.exec("begin immediate");
  const waiting = changeCatalogue(hasty.db, (tx) => createPublisher(tx, { name: "A" }, { now: 1 }), 20);
  await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_BUSY/) });
  neighbour.sqlite.exec("rollback");
  expect(catalogue.count("publisher")).toBe(0);
  await neighbour.db.destroy();
  await hasty.db.destroy();
});

test("random ids have their prefix and 128 bits, and differ", () => {
  const ids = new Set(Array.from({ length: 1000 }, () => randomId("ws")));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^ws_[A-Za-z0-9_-]{22}$/);
});
