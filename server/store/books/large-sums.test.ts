import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { type Kysely, sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { dateOfDay, dayNumber } from "../../core/utc-day.ts";
import { listAdvertisers } from "../catalogue/advertiser-rows.ts";
import { depositToAdvertiser } from "../catalogue/payments.ts";
import { addAdvertiser, addOffer, hop, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import type { Schema } from "../schema.ts";
import { prepareCells } from "../sqlite/cells.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareSettlingAll } from "../sqlite/waiting-sums.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { audit } from "./audit.ts";
import { makePublishers } from "./counters-for-tests.ts";
import { recount } from "./recount.ts";
import { reportText } from "./report-text.ts";
import { sameBooks } from "./same-books-for-tests.ts";

const most = Number.MAX_SAFE_INTEGER;
const advertisers = ["advertiser_1", "advertiser_2", "advertiser_3"] as const;

let recorded: Awaited<ReturnType<typeof newCatalogueFile>>;
/** Each of the advertisers may spend as much as one can, and pays it for a single click. */
beforeEach(async () => {
  recorded = await newCatalogueFile(tmpdir());
  await makePublishers(recorded.db, [1]);
  for (const advertiser of advertisers) {
    await addAdvertiser(recorded.db, advertiser, most);
    await addOffer(recorded.db, { id: `offer_of_${advertiser}`, advertiser, payoutMicros: most });
  }
});

/** The books with what was recorded so far. */
const openBooks = async () => {
  const books = await sameBooks(recorded);
  onTestFinished(() => books.close());
  return books;
};
const record = (...entries: JournalEntry[]) => prepareBatchWriter(recorded.sqlite).write(entries, 0);
const click = (offer: number, on = offer) => {
  const visit = visitOf(`visit_${on}`);
  return [served(visit, [offer], { micros: most }), hop(visit, offer)];
};
/** As each batch does with some of what waits, once that is much. */
const settle = () =>
  recorded.sqlite.transaction(prepareSettlingAll(recorded.sqlite, prepareCells(recorded.sqlite)))();
const spendOf = async (db: Kysely<Schema>) => {
  const today = dateOfDay(dayNumber(morning));
  const websites = [{ id: 1, key: websiteKey.parse("ws_1") }];
  const filter = {
    websites,
    from: today,
    to: today,
    test: false,
    eventTypes: [],
    groupBy: ["date" as const],
  };
  const text = new TextDecoder().decode(await reportText(db, filter, "json"));
  return Array.from(text.matchAll(/"spend":(\d+)/g), ([, digits]) => digits);
};

describe("clicks that cost as much as a number can hold exactly", () => {
  test.each([
    ["in one batch, and wait", [[1, 2, 3]], "never"],
    ["in one batch, and are settled", [[1, 2, 3]], "once"],
    ["in a batch each, and wait", [[1], [2], [3]], "never"],
    ["in a batch each, and are settled", [[1], [2], [3]], "once"],
    ["in a batch each, and each is settled", [[1], [2], [3]], "each"],
  ])(
    "are added up to the last digit by report, recount and audit: they come %s",
    async (_, batches, settled) => {
      for (const offers of batches) {
        record(...offers.flatMap((offer) => click(offer)));
        if (settled === "each") settle();
      }
      if (settled === "once") settle();
      const { db, count } = await openBooks();
      expect((await count("detail_delta")) === 0).toBe(settled !== "never");
      const sum = "27021597764222973";
      // A row, the totals, and those of its currency.
      expect(await spendOf(db)).toEqual([sum, sum, sum]);
      expect((await recount(db)).differences).toEqual([]);
      expect((await audit(db)).differences).toEqual([]);
    },
  );

  test("a single micro-unit too many is found, and told with all digits", async () => {
    record(...click(1), ...click(2));
    settle();
    const { db } = await openBooks();
    await db
      .updateTable("counter")
      // As text of the statement: a parameter would be a double to SQLite's driver, and so would be the sum.
      .set({ spend_micros: sql`spend_micros + 1` })
      .where("spend_micros", ">", 0)
      .execute();
    const { differences } = await recount(db);
    expect(differences).toMatchObject([
      { count: "spend_micros", recorded: 18_014_398_509_481_983n, recounted: 18_014_398_509_481_982n },
    ]);
  });

  test("leave balances of exactly nothing, and bill nobody for more", async () => {
    record(...click(1), ...click(2), ...click(1, 4));
    const books = await openBooks();
    const left = (await listAdvertisers(books.db)).map(({ spentMicros, balanceMicros }) => [
      spentMicros,
      balanceMicros,
    ]);
    expect(left).toEqual([
      [most, 0],
      [most, 0],
      [0, most],
    ]);
    expect((await audit(books.db)).differences).toEqual([]);
    const paid = depositToAdvertiser(books, "advertiser_1", { micros: 1 }, { now: morning });
    await expect(paid).rejects.toThrow(
      "must not take all deposits and adjustments together above 9007199254.740991",
    );
  });
});

test("an audit tells sums beyond it with all digits", async () => {
  const { db } = await openBooks();
  await sql`update ledger_line set micros = 9007199254740993 where advertiser = 2`.execute(db);
  await sql`update advertiser set deposited_micros = 9007199254740995 where number = 2`.execute(db);
  expect((await audit(db)).differences).toMatchObject([
    { figure: "advertiser_deposits", recorded: 9_007_199_254_740_995n, recomputed: 9_007_199_254_740_993n },
  ]);
});
