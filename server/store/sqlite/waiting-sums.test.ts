import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { recount } from "../books/recount.ts";
import { blocked, visitOf } from "../conformance/journal-for-tests.ts";
import { countedIn } from "./counted-for-tests.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { linesOfRun, runsOfRound } from "./waiting-sums.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const websites = 500;

/** A database with a writer, and what plays visits. */
const newVisits = async () => {
  const { close, db, sqlite } = await newCatalogueFile(tmpdir());
  onTestFinished(close);
  const writer = prepareBatchWriter(sqlite);
  let written = 0;
  const count = (rows: string) => Number(sqlite.prepare(`select count(*) from ${rows}`).pluck().get());
  return {
    sqlite,
    /** So many visits of the websites in turn, each a line of its own: none has a country of one of the 500 before it. */
    visit: (visits: number, of = websites, first = 1, atOnce = 500): void => {
      const entries = Array.from({ length: visits }, () => {
        written += 1;
        const country = String.fromCharCode(65 + (written % 26), 65 + (Math.floor(written / 26) % 26));
        return blocked(visitOf(`visit-${written}`, { websiteId: first + (written % of), country }));
      });
      for (let from = 0; from < visits; from += atOnce) writer.write(entries.slice(from, from + atOnce), 0);
    },
    /** How many rows are settled, appended and sorted. */
    rows: () => [
      count("detail"),
      count("detail_delta where number >= 0"),
      count("detail_delta where number < 0"),
    ],
    /** How many rows the counters have, and both sums over them. */
    counters: () => ["counter", "counter_day", "counter_publisher"].map(count),
    differences: async () => (await recount(db)).differences,
    /** How many counters a recount has compared. */
    compared: async () => (await recount(db)).cells,
  };
};

test("what is appended is sorted when it is some, and each portion is settled in its turn", async () => {
  const { visit, rows, counters, differences } = await newVisits();
  visit(linesOfRun - 1);
  expect(rows()).toEqual([0, 5, 0]);
  visit(1);
  // Five hundred websites, in 256 portions.
  expect(rows()).toEqual([0, 0, 256]);
  expect(await differences()).toEqual([]);
  // One visit has one portion settled at the least, and thirty-two are due: websites 256, 1 and 257, 2 and 258, ...
  visit(1);
  expect(rows()).toEqual([1, 1, 255]);
  // The lines of website 256 are of five visits from five countries, all of one day.
  expect(counters()).toEqual([5, 1, 5]);
  for (let batch = 0; batch < 40; batch += 1) visit(1);
  expect(rows()).toEqual([63, 41, 224]);
  // Some of those websites had visits from the same country.
  expect(counters()).toEqual([315, 63, 309]);
  expect(await differences()).toEqual([]);
  for (let run = 1; run < runsOfRound; run += 1) visit(linesOfRun);
  visit(linesOfRun);
  expect(rows()[0]).toBe(websites);
  expect(rows()[2]).toBeLessThan(256 * runsOfRound);
  expect(await differences()).toEqual([]);
});

test("writers that live for a few runs each leave no portion behind", async () => {
  const { sqlite, rows, differences } = await newVisits();
  for (let life = 0; life < 20; life += 1) {
    const writer = prepareBatchWriter(sqlite);
    for (let batch = 0; batch < 12; batch += 1) {
      const entries = Array.from({ length: 500 }, (_, at) =>
        blocked(visitOf(`life-${life}-${batch}-${at}`, { websiteId: 1 + at, country: "DE" })),
      );
      writer.write(entries, 0);
    }
  }
  // Each has sorted twice, which is a row more for each portion.
  expect(rows()[2]).toBeLessThan(256 * runsOfRound);
  expect(await differences()).toEqual([]);
});

test("each portion has its turn after 20,000 lines, however many a batch has", async () => {
  const { visit, rows, differences } = await newVisits();
  // As many lines as five hundred answers of seven offers have: six runs of one batch each.
  visit(21_000, websites, 1, 3500);
  // What is due is settled with the next batch, which is sorted as well.
  visit(3500, websites, 1, 3500);
  expect(rows()[0]).toBe(websites);
  expect(await differences()).toEqual([]);
});

test("nothing of what is written all at once waits", async () => {
  const { sqlite, visit, rows, counters, differences } = await newVisits();
  visit(10);
  const entries = Array.from({ length: 2 * linesOfRun }, (_, at) =>
    blocked(visitOf(`past-${at}`, { websiteId: 1 + (at % websites), country: at % 3 === 0 ? "DE" : "FR" })),
  );
  prepareBatchWriter(sqlite).writeAll(entries, 0);
  // Those of the visits before it do, as they did.
  expect(rows()).toEqual([websites, 1, 0]);
  expect(counters()).toEqual([2 * websites, websites, 2]);
  expect(await differences()).toEqual([]);
});

test("a website that has most of the visits does not wait for its turn", async () => {
  const { visit, rows, differences } = await newVisits();
  // Its portion is one of the last.
  visit(linesOfRun, 1, 200);
  expect(rows()).toEqual([0, 0, 1]);
  visit(1, 1, 200);
  expect(rows()).toEqual([1, 1, 0]);
  expect(await differences()).toEqual([]);
});

test("writers that take turns add up the same cells, whichever of them settles what", async () => {
  const { sqlite, counters, differences } = await newVisits();
  const writers = [prepareBatchWriter(sqlite), prepareBatchWriter(sqlite)];
  const rounds = 70;
  for (let round = 0; round < rounds; round += 1) {
    const visits = Array.from({ length: 120 }, (_, at) =>
      blocked(
        visitOf(`${round}-${at}`, { websiteId: 1 + Math.floor(at / 2), country: at % 2 === 0 ? "DE" : "FR" }),
      ),
    );
    writers[round % 2]?.write(visits, 0);
  }
  expect(counters()).toEqual([120, 60, 2]);
  expect(countedIn(sqlite).map((row) => row.blocked)).toEqual(Array.from({ length: 120 }, () => rounds));
  expect(await differences()).toEqual([]);
});

test("a recount finds what waits and should not, in the counters, in both sums and in its hour's line", async () => {
  const { sqlite, visit, differences, compared } = await newVisits();
  visit(1);
  expect(await compared()).toBe(1);
  // The last number of the only line is how many were blocked: one, which is packed as two.
  const lines = sqlite.prepare<[], Buffer>("select lines from detail_delta").pluck().get() ?? Buffer.of();
  expect(lines.at(-1)).toBe(2);
  sqlite.prepare("update detail_delta set lines = ?").run(Buffer.from([...lines.subarray(0, -1), 4]));
  expect((await differences()).map(({ count, detail }) => [count, detail === null])).toEqual([
    ["blocked", true],
    ["blocked", true],
    ["blocked", true],
    ["blocked", false],
  ]);
});
