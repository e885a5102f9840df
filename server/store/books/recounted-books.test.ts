import { tmpdir } from "node:os";
import type { KyselyPlugin } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { hourMs } from "../../core/utc-day.ts";
import { morning } from "../conformance/journal-for-tests.ts";
import { prepareCells } from "../sqlite/cells.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareSettlingAll } from "../sqlite/waiting-sums.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { makePublishers } from "./counters-for-tests.ts";
import { recount } from "./recount.ts";
import { sameBooks } from "./same-books-for-tests.ts";

/** Refused clicks that are kept as numbers alone, in so many rows of two websites in turn. */
const refusedClicks = (rows: number): JournalEntry[] =>
  Array.from({ length: rows }, (_, row) => ({
    kind: "clicks_refused",
    cell: {
      ...{ websiteId: 1 + (row % 2), country: "DE", region: "", vertical: "news", surface: "overlay" },
      ...{ test: false, currency: "", device: 0 },
    },
    offer: 1 + Math.floor(row / 20),
    placement: null,
    at: morning + (Math.floor(row / 2) % 10) * hourMs,
    clicks: 1 + (row % 3),
  }));

test("refused events that have no fact are read page by page, however many there are of them", async () => {
  const recorded = await newCatalogueFile(tmpdir());
  await makePublishers(recorded.db, [2]);
  const { sqlite } = recorded;
  prepareBatchWriter(sqlite).write(refusedClicks(12_000), 0);
  sqlite.transaction(prepareSettlingAll(sqlite, prepareCells(sqlite)))();
  const books = await sameBooks(recorded);
  onTestFinished(() => books.close());
  expect(await books.count("unkept_event")).toBe(12_000);
  let most = 0;
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      most = Math.max(most, result.rows.length);
      return result;
    },
  };
  expect((await recount(books.db.withPlugin(watch))).differences).toEqual([]);
  expect(most).toBe(5000);
});
