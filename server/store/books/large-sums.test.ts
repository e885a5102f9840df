import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dateOfDay, dayNumber } from "../../core/utc-day.ts";
import { depositToAdvertiser, listAdvertisers } from "../catalogue/advertisers.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { addAdvertiser, addOffer, hop, morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { audit } from "./audit.ts";
import { makePublishers } from "./counters-for-tests.ts";
import { recount } from "./recount.ts";
import { reportText } from "./report-text.ts";

const most = Number.MAX_SAFE_INTEGER;
const advertisers = ["advertiser_1", "advertiser_2", "advertiser_3"] as const;

let books: Awaited<ReturnType<typeof newCatalogue>>;
/** Each of the advertisers may spend as much as one can, and pays it for a single click. */
beforeEach(async () => {
  books = await newCatalogue(tmpdir());
  await makePublishers(books.db, [1]);
  for (const advertiser of advertisers) {
    await addAdvertiser(books.db, advertiser, most);
    await addOffer(books.db, { id: `offer_of_${advertiser}`, advertiser, payoutMicros: most });
  }
});
afterEach(() => books.close());

const click = (offer: number, on = offer) => {
  const visit = visitOf(`visit_${on}`);
  return [served(visit, [offer], { micros: most }), hop(visit, offer)];
};
/** What waits is added to the counters once there are a thousand of it. */
const settle = () =>
  books.sqlite.transaction(() => {
    const cell = books.sqlite.prepare("select cell from counter_delta where spend_micros > 0").pluck().get();
    const add = books.sqlite.prepare(
      "insert into counter_delta (cell, day, blocked, served, impressions, clicks, billable_clicks, spend_micros, filtered) values (?, ?, 0, 0, 0, 0, 0, 0, 0)",
    );
    for (let rows = 0; rows < 1000; rows += 1) add.run(cell, dayNumber(morning));
  })();
const spendOf = async () => {
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
  const text = new TextDecoder().decode(await reportText(books.db, filter, "json"));
  return Array.from(text.matchAll(/"spend":(\d+)/g), ([, digits]) => digits);
};

describe("clicks that cost as much as a number can hold exactly", () => {
  test.each([
    ["in one batch", [[1, 2, 3]]],
    ["in a batch each", [[1], [2], [3]]],
  ])("are added up to the last digit by report, recount and audit: %s", async (_, batches) => {
    const writer = prepareBatchWriter(books.sqlite);
    for (const offers of batches) {
      writer.write(
        offers.flatMap((offer) => click(offer)),
        0,
      );
    }
    const sum = "27021597764222973";
    // A row, the totals, and those of its currency.
    expect(await spendOf()).toEqual([sum, sum, sum]);
    expect((await recount(books.db)).differences).toEqual([]);
    settle();
    writer.write([served(visitOf("last"), [1], { micros: most })], 0);
    expect(await books.count("counter_delta" as "offer")).toBe(0);
    expect(await spendOf()).toEqual([sum, sum, sum]);
    expect((await recount(books.db)).differences).toEqual([]);
    expect((await audit(books.db)).differences).toEqual([]);
  });

  test("a single micro-unit too many is found, and told with all digits", async () => {
    const writer = prepareBatchWriter(books.sqlite);
    writer.write([...click(1), ...click(2)], 0);
    settle();
    writer.write([served(visitOf("last"), [1], { micros: most })], 0);
    books.sqlite.exec("update counter set spend_micros = spend_micros + 1 where spend_micros > 0");
    const { differences } = await recount(books.db);
    expect(differences).toMatchObject([
      { count: "spend_micros", recorded: 18_014_398_509_481_983n, recounted: 18_014_398_509_481_982n },
    ]);
  });

  test("leave balances of exactly nothing, and bill nobody for more", async () => {
    prepareBatchWriter(books.sqlite).write([...click(1), ...click(2), ...click(1, 4)], 0);
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
    const paid = depositToAdvertiser(books, "advertiser_1", 1, { now: morning });
    await expect(paid).rejects.toThrow("must be at most 0, or the sum of all deposits is inexact");
  });
});

test("an audit tells sums beyond it with all digits", async () => {
  books.sqlite.exec(
    `update ledger_line set micros = 9007199254740993 where advertiser = 2;
     update advertiser set deposited_micros = 9007199254740995 where number = 2`,
  );
  expect((await audit(books.db)).differences).toMatchObject([
    { figure: "advertiser_deposits", recorded: 9_007_199_254_740_995n, recomputed: 9_007_199_254_740_993n },
  ]);
});
