import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { readingOf } from "../conformance/engine-under-test.ts";
import { addAdvertiser, addOffer, hop, served, visitOf } from "../conformance/journal-for-tests.ts";
import { randomEntries } from "../conformance/random-visits-for-tests.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

/** A database with the offers of the random visits, and so many writers on it, each with a memory of its own. */
const newWriters = async (count: number) => {
  const database = await newCatalogueFile(tmpdir());
  onTestFinished(database.close);
  const { db, file } = database;
  for (const [id, micros] of [
    ["advertiser_1", 200_000],
    ["advertiser_2", 9000],
  ] as const) {
    await addAdvertiser(db, id, micros);
  }
  const [one, two] = [{ advertiser: "advertiser_1" }, { advertiser: "advertiser_2" }];
  await addOffer(db, { id: "offer_cpc", ...one, payoutMicros: 1000, daily_click_cap: 30 });
  await addOffer(db, { id: "offer_cpc2", ...two, payoutMicros: 70, total_budget_micros: 8000 });
  await addOffer(db, { id: "offer_cpm", ...two, payoutMicros: 3000, payout_model: "CPM" });
  await addOffer(db, { id: "offer_cpa", ...one, payoutMicros: 7, payout_model: "CPA" });
  const writers = Array.from({ length: count }, () => {
    const { db: other, sqlite } = openDatabase({ file, durability: "relaxed" });
    onTestFinished(() => other.destroy());
    return prepareBatchWriter(sqlite);
  });
  return { ...database, ...readingOf(database), writers };
};

/** Writes the entries in batches of uneven length, by the writers in turn. */
const writeInTurn = (
  { writers }: Awaited<ReturnType<typeof newWriters>>,
  entries: readonly JournalEntry[],
) => {
  const random = seededRandom(9);
  const outcomes: unknown[] = [];
  for (let at = 0, turn = 0; at < entries.length; turn += 1) {
    const length = 1 + Math.floor(random() * 60);
    const batch = entries.slice(at, at + length);
    const written = writers[turn % writers.length]?.write(batch, 0);
    expect(written?.failures).toEqual([]);
    outcomes.push(...(written?.outcomes ?? []));
    at += length;
  }
  return outcomes;
};

test.each([3, 8])("two writers in turn write what one alone writes, row by row: seed %i", async (seed) => {
  const entries = randomEntries(seededRandom(seed), 300);
  const [alone, inTurn] = [await newWriters(1), await newWriters(2)];
  expect(writeInTurn(inTurn, entries)).toEqual(writeInTurn(alone, entries));
  expect(await inTurn.facts()).toEqual(await alone.facts());
  expect(await inTurn.counters()).toEqual(await alone.counters());
  const spends = ({ db }: typeof alone) =>
    db.selectFrom("spend").selectAll().orderBy("subject").orderBy("day").execute();
  expect(await spends(inTurn)).toEqual(await spends(alone));
  expect(await inTurn.differences()).toEqual([]);
});

test("what a batch put in memory is forgotten when it fails: the next one finds all as it was", async () => {
  const { writers, sqlite, spend, facts, differences } = await newWriters(1);
  const [writer] = writers;
  const visit = visitOf("r1");
  sqlite.exec("create trigger full before insert on detail_delta begin select raise(abort, 'no room'); end");
  expect(() => writer?.write([served(visit, [1]), hop(visit, 1)], 0)).toThrow("no room");
  expect(await facts()).toEqual([]);
  sqlite.exec("drop trigger full");
  const { outcomes } = writer?.write([served(visit, [1]), hop(visit, 1)], 0) ?? { outcomes: [] };
  expect(outcomes).toMatchObject([{ refusal: null }, { refusal: null, billedMicros: 1000 }]);
  expect(await spend("offer_cpc")).toEqual({ spent_micros: 1000, billed_clicks: 1 });
  expect(await differences()).toEqual([]);
});
