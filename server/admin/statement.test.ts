import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figureColumns } from "../core/figures.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { runBeside } from "./run-for-tests.ts";

let service: TestService;
const admin = async (...words: string[]) => {
  const { code, out, err } = await runBeside(service, words);
  return { code, out, err };
};
const done = async (...words: string[]) => {
  const { code, out, err } = await admin(...words, "--json");
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
};

/** Somebody at this address follows the offer of the brand, which costs 0.40. */
const click = async (from: string, website = "ws_a") => {
  const { offers } = await service.visit({ from, website });
  await service.follow(offers.find(({ brand }) => brand === "Best")?.url ?? "", { from });
};

beforeAll(async () => {
  service = await startTestService();
  await click("203.0.113.1");
  await done("publisher", "update", "--publisher", "publisher_a", "--share-basis-points", "7000");
  await click("203.0.113.2");
  await done("website", "update", "--website", "ws_a", "--share-basis-points", "3333");
  await click("203.0.113.3");
  await done("website", "update", "--website", "ws_a", "--share-basis-points", "none");
  await click("203.0.113.4");
  await done("publisher", "update", "--publisher", "publisher_a", "--share-basis-points", "0");
  await click("203.0.113.5");
  await click("203.0.113.6", "ws_b");
  await click("203.0.113.7", "ws_dev");
});
afterAll(() => service.close());

const of = (publisherId: string, ...more: string[]) => [
  ...["statement", "--publisher", publisherId, "--month", "2026-11"],
  ...more,
];
const ofAll = (...more: string[]) => ["statement", "--month", "2026-11", ...more];
const earned = 400_000 + 280_000 + 133_320 + 280_000 + 0;

const titles = [
  ...["WEBSITE", "CURRENCY", "SHARE", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "EARNINGS"],
  "OPERATOR'S PART",
];
const ofShares = [
  ["ws_a", "EUR", "0.00 %", "1", "0", "0.40", "0.00", "0.40"],
  ["ws_a", "EUR", "33.33 %", "1", "0", "0.40", "0.13332", "0.26668"],
  ["ws_a", "EUR", "70.00 %", "2", "0", "0.80", "0.56", "0.24"],
  ["ws_a", "EUR", "100.00 %", "1", "0", "0.40", "0.40", "0.00"],
];
const csvTitles =
  "month,websiteKey,currency,billableClicks,billedViews,spend,earnings,operatorsPart,publisherId,agrees,shareBasisPoints";
const csvOfShares = [
  "2026-11,ws_a,EUR,1,0,400000,0,400000,publisher_a,true,0",
  "2026-11,ws_a,EUR,1,0,400000,133320,266680,publisher_a,true,3333",
  "2026-11,ws_a,EUR,2,0,800000,560000,240000,publisher_a,true,7000",
  "2026-11,ws_a,EUR,1,0,400000,400000,0,publisher_a,true,10000",
];
const notFinal = "not final: visits of its last day may be billed until 2026-12-02T01:00Z";

/** Changes a row behind the service's back. */
const beside = (plant: string) => sql.raw(plant).execute(service.catalogue.db);

describe("a statement", () => {
  test("has each click by the share that stood when it was billed, from the very next one on", async () => {
    const money = { spend: 2_000_000, earnings: earned, operatorsPart: 2_000_000 - earned };
    const part = (shareBasisPoints: number, billableClicks: number, earnings: number) => {
      const spend = 400_000 * billableClicks;
      return {
        ...{ shareBasisPoints, billableClicks, billedViews: 0 },
        ...{ spend, earnings, operatorsPart: spend - earnings },
      };
    };
    const shares = [part(0, 1, 0), part(3333, 1, 133_320), part(7000, 2, 560_000), part(10_000, 1, 400_000)];
    const billing = { currency: "EUR", billableClicks: 5, billedViews: 0, ...money };
    expect(await done(...of("publisher_a"))).toEqual({
      ...{ publisherId: "publisher_a", month: "2026-11", from: "2026-11-01", to: "2026-11-30" },
      ...{ final: false, finalFrom: "2026-12-02T01:00:00.000Z" },
      ...{ agrees: true, lines: 5, differences: [] },
      items: [{ publisherId: "publisher_a", websiteKey: "ws_a", ...billing, shares }],
      totals: [billing],
    });
    expect(await done(...of("publisher_b"))).toMatchObject({
      items: [{ websiteKey: "ws_b", spend: 400_000, earnings: 400_000, operatorsPart: 0 }],
    });
    for (const check of ["audit", "recount"]) expect((await admin(check)).code).toBe(0);
  });

  test("is a table, and says that it adds up", async () => {
    const { code, out } = await admin(...of("publisher_a"));
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["publisher_a, 2026-11 (UTC)"],
      titles,
      ...ofShares,
      ["all", "EUR", "all", "5", "0", "2.00", "1.09332", "0.90668"],
      ["adds up to the ledger: 5 lines"],
      [notFinal],
    ]);
  });

  test("is CSV in whole micro-units, with the check beside it", async () => {
    const { out, err } = await admin(...of("publisher_a", "--csv"));
    expect(out.split(/\r?\n/)).toEqual([csvTitles, ...csvOfShares, ""]);
    expect(err).toBe(`note: adds up to the ledger: 5 lines\nnote: ${notFinal}\n`);
  });

  test("of all publishers has that of each, and the sums of all", async () => {
    const parts = [await done(...of("publisher_a")), await done(...of("publisher_b"))].map(
      ({ month: _, from: __, to: ___, final: ____, finalFrom: _____, ...part }) => part,
    );
    const sum = { billableClicks: 6, billedViews: 0, spend: 2_400_000, earnings: earned + 400_000 };
    expect(await done(...ofAll())).toEqual({
      ...{ month: "2026-11", from: "2026-11-01", to: "2026-11-30" },
      ...{ final: false, finalFrom: "2026-12-02T01:00:00.000Z", agrees: true },
      statements: parts,
      totals: [{ currency: "EUR", ...sum, operatorsPart: 2_000_000 - earned }],
    });
  });

  test("of all publishers is one table, and one file with a publisher in each line", async () => {
    const { code, out } = await admin(...ofAll());
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["all publishers, 2026-11 (UTC)"],
      ["PUBLISHER", ...titles],
      ...ofShares.map((row) => ["publisher_a", ...row]),
      ["publisher_a", "all", "EUR", "all", "5", "0", "2.00", "1.09332", "0.90668"],
      ["publisher_b", "ws_b", "EUR", "100.00 %", "1", "0", "0.40", "0.40", "0.00"],
      ["publisher_b", "all", "EUR", "all", "1", "0", "0.40", "0.40", "0.00"],
      ["all", "all", "EUR", "all", "6", "0", "2.40", "1.49332", "0.90668"],
      ["adds up to the ledger: 6 lines"],
      [notFinal],
    ]);
    const csv = await admin(...ofAll("--csv"));
    expect(csv.out.split(/\r?\n/)).toEqual([
      csvTitles,
      ...csvOfShares,
      "2026-11,ws_b,EUR,1,0,400000,400000,0,publisher_b,true,10000",
      "",
    ]);
    expect(csv.err).toBe(`note: adds up to the ledger: 6 lines\nnote: ${notFinal}\n`);
  });

  test("of a month without bills says so", async () => {
    const { code, out } = await admin("statement", "--publisher", "publisher_a", "--month", "2026-12");
    expect(code).toBe(0);
    expect(out).toContain("nothing was billed");
  });

  test.each([
    ["2026-13", /--month: must be a month such as 2026-11/],
    ["2026-1", /--month: must be a month such as 2026-11/],
  ])("refuses the month %s", async (month, message) => {
    const { code, err } = await admin("statement", "--publisher", "publisher_a", "--month", month);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test("refuses a publisher that is not there", async () => {
    const { code, err } = await admin("statement", "--publisher", "publisher_x", "--month", "2026-11");
    expect([code, err]).toEqual([2, expect.stringMatching(/--publisher: no publisher has the id/)]);
  });

  test("ends with 1 where the reports say otherwise, and names what differs", async () => {
    await beside(
      `insert into counter_day (website_id, day, vertical, surface, test, currency, ${figureColumns})
       select 1, min(day), 'planted', 'overlay', 0, 'EUR', ${figureColumns.map((name) => (name === "earned_micros" ? -1 : 0))}
       from ledger_line where website = 1`,
    );
    const { code, out } = await admin(...of("publisher_a"));
    expect(code).toBe(1);
    expect(out).toMatch(/ledger and the reports differ: 1 /);
    expect(out).toMatch(new RegExp(`ws_a +EUR +earnings +${earned} +${earned - 1}\n`));
    const csv = await admin(...of("publisher_a", "--csv"));
    expect([csv.code, csv.err]).toEqual([1, expect.stringContaining("differ: 1 ")]);
    expect(csv.out).toContain(",publisher_a,false,");
    const all = await admin(...ofAll("--csv"));
    expect([all.code, all.err]).toEqual([1, expect.stringContaining("differ: 1 ")]);
    // Who is not concerned is not held up by it.
    expect(all.out.match(/publisher_.,\w+/g)).toEqual([
      ...Array.from({ length: 4 }, () => "publisher_a,false"),
      "publisher_b,true",
    ]);
    expect((await admin("--help")).out).toMatch(/^ +1 .*statement/m);
  });
});

test("hiding what advertisers pay is pointless where the share is all of it, and said to be", async () => {
  const words = ["publisher", "update", "--publisher", "publisher_b"];
  const { code, err } = await admin(...words, "--hide-spend");
  expect([code, err]).toEqual([0, expect.stringContaining("the earnings tell what advertisers pay")]);
  expect((await admin(...words, "--share-basis-points", "9999")).err).toBe("");
  expect((await admin("publisher", "list")).out).toMatch(/publisher_b .* 99\.99 % +hidden +Publisher b/);
});

test("the operator's report goes on telling both", async () => {
  const { out } = await admin("report", "--website", "ws_b", "--today", "--json");
  expect(JSON.parse(out).totals).toMatchObject({ spend: 400_000, earnings: 400_000 });
});
