import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { findChunk, putChunks } from "./chunks.ts";

const dayMs = 24 * 60 * 60 * 1000;

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
beforeEach(async () => {
  catalogue = await newCatalogue(tmpdir());
});
afterEach(() => catalogue.close());

/** A release by its chunks, each of whose contents is its name. */
const release = (...names: string[]) => new Map(names.map((name) => [name, Buffer.from(name)]));
const start = (chunks: ReturnType<typeof release>, at: number) => putChunks(catalogue.db, chunks, at);
const found = async (...names: string[]) => {
  const chunks = await Promise.all(names.map((name) => findChunk(catalogue.db, name)));
  return chunks.map((chunk) => chunk && Buffer.from(chunk).toString());
};

test("chunks of the release before are found for two days after the first start without them", async () => {
  await start(release("a.js", "both.js"), 0);
  // However long it runs.
  await start(release("b.js", "both.js"), 90 * dayMs);
  await start(release("b.js", "both.js"), 92 * dayMs);
  expect(await found("a.js", "both.js", "b.js", "c.js")).toEqual(["a.js", "both.js", "b.js", null]);
  await start(release("b.js", "both.js"), 92 * dayMs + 1);
  expect(await found("a.js", "both.js", "b.js")).toEqual([null, "both.js", "b.js"]);
});

test("those of a release that comes back stay, and the other's go", async () => {
  await start(release("a.js"), 0);
  await start(release("b.js"), dayMs);
  await start(release("a.js"), 2 * dayMs);
  await start(release("a.js"), 5 * dayMs);
  expect(await found("a.js", "b.js")).toEqual(["a.js", null]);
});

test("those of a release that still serves stay, however long nodes are replaced one after the other", async () => {
  const hourMs = dayMs / 24;
  const refresh = start;
  await start(release("a.js"), 0);
  await start(release("b.js"), 1);
  await refresh(release("a.js"), 47 * hourMs);
  await start(release("b.js"), 49 * hourMs);
  expect(await found("a.js", "b.js")).toEqual(["a.js", "b.js"]);
  // Nobody serves it any more.
  await refresh(release("b.js"), 98 * hourMs);
  expect(await found("a.js", "b.js")).toEqual([null, "b.js"]);
});

test("a start of the same release writes nothing, and one that has built nothing replaces nothing", async () => {
  await start(release("a.js"), 0);
  await catalogue.db
    .updateTable("chunk")
    .set({ script: Buffer.from("as it was") })
    .execute();
  await start(release("a.js"), 1);
  expect(await found("a.js")).toEqual(["as it was"]);
  await start(release(), 2);
  await start(release("b.js"), 3 * dayMs);
  expect(await found("a.js", "b.js")).toEqual(["as it was", "b.js"]);
});
