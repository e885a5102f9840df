import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { createPublisher } from "../catalogue/publishers.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { changing } from "./open-catalogue.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogueFile>>;
beforeEach(async () => {
  catalogue = await newCatalogueFile(tmpdir());
});
afterEach(() => catalogue.close());

test("a change waits for the lock of another process and is then made once", async () => {
  const neighbour = openDatabase({ file: catalogue.file, durability: "relaxed" });
  const before = await catalogue.version();
  const hasty = openDatabase({ file: catalogue.file, durability: "relaxed", busyTimeoutMs: 0 });
  neighbour.sqlite.exec("begin immediate");
  let refusals = 0;
  const db = hasty.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === "UpdateQueryNode" && ++refusals === 3) neighbour.sqlite.exec("commit");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await createPublisher(changing({ db }, byTests), { name: "A" }, { now: 1 });
  expect(refusals).toBeGreaterThanOrEqual(3);
  expect(await catalogue.version()).toBe(before + 1);
  expect(await catalogue.count("publisher")).toBe(1);
  await neighbour.db.destroy();
  await hasty.db.destroy();
});

test("a change gives up when the lock is kept, and has written nothing", async () => {
  const neighbour = openDatabase({ file: catalogue.file, durability: "relaxed" });
  const hasty = openDatabase({ file: catalogue.file, durability: "relaxed", busyTimeoutMs: 0 });
  neighbour.sqlite.exec("begin immediate");
  const waiting = createPublisher(changing(hasty, byTests, 20), { name: "A" }, { now: 1 });
  await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_BUSY/) });
  neighbour.sqlite.exec("rollback");
  expect(await catalogue.count("publisher")).toBe(0);
  await neighbour.db.destroy();
  await hasty.db.destroy();
});

test("a change that a full disk ends is refused as that, and has written nothing", async () => {
  const { sqlite } = catalogue;
  sqlite.pragma(`max_page_count = ${Number(sqlite.pragma("page_count", { simple: true })) + 10}`);
  const growing = catalogue.transact(async (tx) => {
    for (let number = 1; ; number += 1) {
      await createPublisher(
        { ...byTests, db: tx, transact: (work) => work(tx) },
        { name: "A".repeat(100) },
        { now: number },
      );
    }
  });
  await expect(growing).rejects.toMatchObject({ code: "SQLITE_FULL" });
  expect(await catalogue.count("publisher")).toBe(0);
  await createPublisher(catalogue, { name: "A" }, { now: 1 });
});
