import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { runBeside } from "./run-for-tests.ts";

let service: TestService;
const admin = async (...words: string[]) => runBeside(service, words);
const done = async (...words: string[]) => {
  const { code, out, err } = await admin(...words, "--json");
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};
const of = (month: string, ...more: string[]) => [
  ...["statement", "--advertiser", "advertiser_1", "--month", month],
  ...more,
];

const dayMs = 24 * 60 * 60 * 1000;
const beside = (plant: string) => sql.raw(plant).execute(service.catalogue.db);

/** Somebody at this address follows the offer that costs 0.40. */
const click = async (from: string) => {
  const { offers } = await service.visit({ from });
  await service.follow(offers.find((offer) => offer.brand === "Best")?.url ?? "", { from });
};
/** And another sees the one that costs 1.00 for a thousand views. */
const view = async () => {
  const { decision } = await service.visit();
  await service.post("impression", { requestId: decision.requestId, offerId: "offer_cpm" });
};

beforeAll(async () => {
  service = await startTestService();
  // At noon of 20 November, with a first deposit of 1,000.
  await click("203.0.113.1");
  await click("203.0.113.2");
  await view();
  await done(
    "advertiser",
    "deposit",
    "--advertiser",
    "advertiser_1",
    "--micros",
    "50000000",
    "--note",
    "INV-17",
  );
  service.moveClock(12 * dayMs);
  await done("advertiser", "deposit", "--advertiser", "advertiser_1", "--micros", "7");
  await click("203.0.113.4");
  service.moveClock(31 * dayMs);
  await click("203.0.113.5");
});
afterAll(() => service.close());

const best = { offerId: "offer_best", brand: "Best", title: "best", currency: "EUR" };

describe("a statement of an advertiser", () => {
  test("has what was left, what came in and what was billed by offer, and what is left", async () => {
    const answer = await done(...of("2026-11"));
    expect(answer).toEqual({
      ...{ advertiserId: "advertiser_1", name: "Advertiser", currency: "EUR" },
      ...{ month: "2026-11", from: "2026-11-01", to: "2026-11-30", agrees: true },
      ...{ final: true, finalFrom: "2026-12-02T01:00:00.000Z" },
      opening: 0,
      payments: [
        {
          line: 1,
          at: "2026-11-20T12:00:00.000Z",
          kind: "deposit",
          amount: 1_000_000_000,
          currency: "EUR",
          note: null,
        },
        {
          line: 5,
          at: "2026-11-20T12:00:03.000Z",
          kind: "deposit",
          amount: 50_000_000,
          currency: "EUR",
          note: "INV-17",
        },
      ],
      items: [
        { ...best, billableClicks: 2, billedViews: 0, spend: 800_000 },
        {
          ...{ offerId: "offer_cpm", brand: "Thousand", title: "cpm", currency: "EUR" },
          ...{ billableClicks: 0, billedViews: 1, spend: 1000 },
        },
      ],
      totals: { paidIn: 1_050_000_000, billableClicks: 2, billedViews: 1, spend: 801_000 },
      ...{ closing: 1_049_199_000, lines: 5, differences: [] },
    });
  });

  test("begins each month with what the one before has left, up to today's balance", async () => {
    const [november, december, january] = [
      await done(...of("2026-11")),
      await done(...of("2026-12")),
      await done(...of("2027-01")),
    ];
    expect(december).toMatchObject({ opening: november.closing, closing: 1_048_799_007 });
    expect(december.items).toEqual([{ ...best, billableClicks: 1, billedViews: 0, spend: 400_000 }]);
    expect(december.payments).toMatchObject([{ at: "2026-12-02T12:00:03.000Z", amount: 7 }]);
    expect(january).toMatchObject({ opening: december.closing, payments: [] });
    const [account] = await done("advertiser", "list");
    expect(january.closing).toBe(account.balanceMicros);
  });

  test("of a month in which nothing was, before and after all else", async () => {
    const empty = { payments: [], items: [], lines: 0, agrees: true };
    expect(await done(...of("2026-10"))).toMatchObject({ ...empty, opening: 0, closing: 0 });
    const last = await done(...of("2027-02"));
    expect(last).toMatchObject({ ...empty, opening: last.closing });
  });

  test("is text, and says that it adds up", async () => {
    const { code, out } = await admin(...of("2026-11"));
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["advertiser_1 (Advertiser), 2026-11 (UTC), EUR"],
      ["opening balance", "0.00"],
      ["paid in", "1,050.00"],
      ["spend", "0.801"],
      ["closing balance", "1,049.199"],
      ["AT", "PAYMENT", "AMOUNT", "CURRENCY", "LINE", "NOTE"],
      ["2026-11-20T12:00:00Z", "deposit", "1,000.00", "EUR", "1", "-"],
      ["2026-11-20T12:00:03Z", "deposit", "50.00", "EUR", "5", "INV-17"],
      ["OFFER", "CURRENCY", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "BRAND", "TITLE"],
      ["offer_best", "EUR", "2", "0", "0.80", "Best", "best"],
      ["offer_cpm", "EUR", "0", "1", "0.001", "Thousand", "cpm"],
      ["adds up to the ledger: 5 lines"],
      ["final: nothing is billed in this month any more"],
    ]);
  });

  test("is CSV whose amounts add up to the last one", async () => {
    const { out, err } = await admin(...of("2026-11", "--csv"));
    const lines = out.trimEnd().split(/\r?\n/);
    expect(lines).toEqual([
      "month,advertiserId,kind,at,offerId,brand,title,currency,billableClicks,billedViews,amount,agrees,note",
      "2026-11,advertiser_1,opening,,,,,EUR,,,0,true,",
      "2026-11,advertiser_1,deposit,2026-11-20T12:00:00.000Z,,,,EUR,,,1000000000,true,",
      "2026-11,advertiser_1,deposit,2026-11-20T12:00:03.000Z,,,,EUR,,,50000000,true,INV-17",
      "2026-11,advertiser_1,spend,,offer_best,Best,best,EUR,2,0,-800000,true,",
      "2026-11,advertiser_1,spend,,offer_cpm,Thousand,cpm,EUR,0,1,-1000,true,",
      "2026-11,advertiser_1,closing,,,,,EUR,,,1049199000,true,",
    ]);
    expect(err).toBe(
      "note: adds up to the ledger: 5 lines\nnote: final: nothing is billed in this month any more\n",
    );
  });

  test("of one of before there were currencies, who has no offer, has none yet", async () => {
    const { advertiserId } = await done("advertiser", "create", "--name", "New", "--balance-micros", "5");
    await beside(`update advertiser set currency = null where id = '${advertiserId}'`);
    const words = ["statement", "--advertiser", advertiserId, "--month", "2027-01"];
    expect(await done(...words)).toMatchObject({ currency: null, opening: 0, closing: 5, agrees: true });
    expect((await admin(...words)).out).toContain("(UTC), no currency yet\n");
  });

  test("is asked for by one name, of somebody who is there", async () => {
    const both = ["--advertiser", "advertiser_1", "--publisher", "publisher_a"];
    const refused = await admin("statement", "--month", "2026-11", ...both);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("not by both")]);
    const { code, err } = await admin("statement", "--month", "2026-11", "--advertiser", "advertiser_x");
    expect([code, err]).toEqual([2, expect.stringMatching(/--advertiser: no advertiser has the id/)]);
  });

  test("takes every line that is no bill for money in or back, whatever it is called", async () => {
    await beside("update advertiser set deposited_micros = deposited_micros - 300 where id = 'advertiser_1'");
    await beside(
      `insert into ledger_line (at, day, kind, advertiser, micros, currency)
       select max(at), max(day), 'correction', 1, -300, 'EUR' from ledger_line`,
    );
    const january = await done(...of("2027-01"));
    expect(january.payments).toMatchObject([{ kind: "correction", amount: -300 }]);
    expect(january).toMatchObject({ totals: { paidIn: -300 }, agrees: true });
    expect((await done(...of("2026-12"))).agrees).toBe(true);
    expect((await admin(...of("2027-01", "--csv"))).out).toMatch(/,correction,[^\n]*,-300,true,\r?\n/);
  });

  test("ends with 1 where budgets or the balance say otherwise, and names what differs", async () => {
    const ofDay = "subject = 'offer_best' and day = (select min(day) from ledger_line where kind = 'click')";
    await beside(`update spend set spent_micros = spent_micros + 1, billed_clicks = 0 where ${ofDay}`);
    const spent = await admin(...of("2026-11"));
    expect(spent.code).toBe(1);
    expect(spent.out).toMatch(/the balance or the budgets differ: 2 \(ledger lines: 5\)/);
    expect(spent.out).toMatch(/offer_best +billableClicks +2 +0\noffer_best +spend +800000 +800001\n/);
    // The other months are not touched by it.
    expect((await done(...of("2026-12"))).agrees).toBe(true);
    await beside("update advertiser set deposited_micros = deposited_micros + 1 where id = 'advertiser_1'");
    const { code, out } = await admin(...of("2026-12", "--json"));
    expect([code, JSON.parse(out).differences]).toEqual([
      1,
      [{ offerId: null, figure: "closing", ledger: 1_048_799_007, recorded: 1_048_799_008 }],
    ]);
    const csv = await admin(...of("2026-12", "--csv"));
    expect([csv.code, csv.err]).toEqual([1, expect.stringContaining("differ: 1 ")]);
    expect(csv.out).toMatch(/closing,,,,,EUR,,,1048799008,false/);
  });
});
