import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { addAdvertiser, addOffer, hop, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { preparePoll } from "./poll.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A file with an offer that one click uses up, and what polls it over a connection of its own. */
const newPoll = async () => {
  const { db, sqlite, file, close } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await addAdvertiser(db, "advertiser_1", 1000);
  await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  const polled = openDatabase({ file, durability: "relaxed" });
  closing.push(() => polled.db.destroy());
  const asked: number[] = [];
  const poll = preparePoll(polled, {
    keepHouse: async () => false,
    readCatalogue: async (seen) => {
      asked.push(seen);
      return 7;
    },
  });
  return { sqlite, poll, asked, write: prepareBatchWriter(sqlite).write };
};

test("what a poll had read before it failed comes with the next one", async () => {
  const { sqlite, poll, asked, write } = await newPoll();
  expect(await poll(morning)).toMatchObject({ exhausted: [], rates: null });
  const visit = visitOf("r1");
  write([served(visit, [1]), hop(visit, 1)], 0);
  sqlite.exec("alter table dismissal rename to elsewhere");
  await expect(poll(morning + 10_000)).rejects.toThrow("dismissal");
  sqlite.exec("alter table elsewhere rename to dismissal");
  const told = await poll(morning + 10_500);
  expect(told).toMatchObject({ exhausted: [1], rates: { counts: [{ offer: 1, clicks: 1 }] } });
  expect(asked).toEqual([0, 7, 7]);
  expect(await poll(morning + 11_000)).toMatchObject({ exhausted: null, rates: null });
});
