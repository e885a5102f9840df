import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { recount } from "../books/recount.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { mostLinesWaiting } from "./detail.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const websites = 500;

test("what waits is sorted when it is much, and then settled a little with each batch", async () => {
  const { close, db, sqlite } = await newCatalogueFile(tmpdir());
  onTestFinished(close);
  const writer = prepareBatchWriter(sqlite);
  let written = 0;
  /** A visit each to so many websites, the next ones in their turn. */
  const visit = (count: number): void => {
    const entries = Array.from({ length: count }, () => {
      written += 1;
      return blocked(visitOf(`visit-${written}`, { websiteId: 1 + (written % websites), country: "DE" }));
    });
    writer.write(entries, 0);
  };
  const count = (rows: string) => Number(sqlite.prepare(`select count(*) from ${rows}`).pluck().get());
  const differences = async () => (await recount(db)).differences;
  while (written < mostLinesWaiting - websites) visit(websites);
  expect([count("detail"), count("detail_delta where number < 0")]).toEqual([0, 0]);
  visit(websites);
  const sorted = count("detail_delta");
  expect(sorted).toBe(Math.ceil(websites / 16));
  expect([count("detail"), count("detail_delta where number < 0")]).toEqual([0, sorted]);
  expect(await differences()).toEqual([]);
  visit(1);
  expect([count("detail"), count("detail_delta where number < 0")]).toEqual([16, sorted - 1]);
  expect(await differences()).toEqual([]);
  // Another writer goes on where this one stood.
  prepareBatchWriter(sqlite).write([blocked(visitOf("another", { websiteId: 3, country: "DE" }))], 0);
  for (let batch = 2; batch < sorted; batch += 1) visit(1);
  expect([count("detail"), count("detail_delta where number < 0")]).toEqual([websites, 0]);
  expect(count("detail_delta")).toBe(sorted);
  expect(await differences()).toEqual([]);
}, 30_000);
