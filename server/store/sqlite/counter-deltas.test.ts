import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { recount } from "../books/recount.ts";
import { countedRows } from "../conformance/counted-rows.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { mostWaiting } from "./counter-deltas.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newCounters = async () => {
  const { close, db, sqlite } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const rowsIn = (table: string) => Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get());
  const newWriter = () => prepareBatchWriter(sqlite);
  const blockedIn = () => sqlite.prepare<[], { blocked: number }>(countedRows).all();
  return { sqlite, rowsIn, newWriter, blockedIn, differences: async () => (await recount(db)).differences };
};

/** Two visits on each of so many websites, from country to country, each in a cell of its own. */
const visits = (websites: number, batch: number): JournalEntry[] =>
  Array.from({ length: websites }, (_, index) => index + 1).flatMap((websiteId) =>
    ["DE", "FR"].map((country) =>
      blocked(visitOf(`${batch}-${websiteId}-${country}`, { websiteId, country, region: `${country}-A` })),
    ),
  );

const tables = ["counter_delta where number > 0", "counter_delta where number < 0", "counter", "counter_day"];

test("what batches count waits until it is many rows, is sorted, and is then added to all three tables, some with each batch", async () => {
  const { newWriter, rowsIn, differences } = await newCounters();
  const writer = newWriter();
  writer.write(visits(100, 1), 0);
  expect(tables.map(rowsIn)).toEqual([200, 0, 0, 0]);
  expect(await differences()).toEqual([]);
  writer.write(visits(mostWaiting / 2, 2), 0);
  expect(tables.map(rowsIn)).toEqual([0, mostWaiting, 0, 0]);
  expect(await differences()).toEqual([]);
  writer.write(visits(1, 3), 0);
  expect(tables.map(rowsIn)).toEqual([2, mostWaiting - 250, 250, 125]);
  expect(await differences()).toEqual([]);
  // Another writer goes on where this one stood, and a large batch settles as much again.
  newWriter().write(visits(500, 4), 0);
  expect(tables.map(rowsIn)).toEqual([1002, mostWaiting - 2250, 2250, 1125]);
  for (let batch = 5; rowsIn("counter") < mostWaiting; batch += 1) writer.write(visits(1, batch), 0);
  expect(tables.map(rowsIn)).toEqual([1016, 0, mostWaiting, mostWaiting / 2]);
  expect(rowsIn("counter_publisher")).toBe(2);
  expect(await differences()).toEqual([]);
});

test("the same cells are added up, whichever writer settles them", async () => {
  const { newWriter, rowsIn, blockedIn, differences } = await newCounters();
  const writers = [newWriter(), newWriter()];
  const rounds = 70;
  for (let round = 0; round < rounds; round += 1) writers[round % 2]?.write(visits(60, round), 0);
  expect(rowsIn("counter")).toBe(120);
  expect(blockedIn().map(({ blocked: count }) => count)).toEqual(Array.from({ length: 120 }, () => rounds));
  expect(await differences()).toEqual([]);
});

test("a recount finds what waits and should not", async () => {
  const { sqlite, newWriter, differences } = await newCounters();
  newWriter().write(visits(1, 1), 0);
  sqlite.exec("update counter_delta set blocked = blocked + 1 where number = 1");
  // For the country, the website and the publisher.
  expect((await differences()).map(({ count }) => count)).toEqual(["blocked", "blocked", "blocked"]);
});
