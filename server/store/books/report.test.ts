import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { defaultGrouping, type ReportAnswer } from "@offers/contract/reports";
import type { Insertable, Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { CounterTable, Schema } from "../schema.ts";
import { fillSums, type MadeCounter, makePublishers } from "./counters-for-tests.ts";
import { boundedReportText, reportText } from "./report-text.ts";

const freshCatalogue = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  await makePublishers(catalogue.db, [2, 1]);
  return catalogue;
};

const dayOf = (date: string) => dayNumber(Date.parse(date));
const websites = [
  { id: 1, key: websiteKey.parse("ws_1") },
  { id: 2, key: websiteKey.parse("ws_2") },
];
const cell = (members: Partial<CounterTable>): MadeCounter => ({
  day: dayOf("2026-11-20"),
  website_id: 1,
  country: "DE",
  vertical: "mobile",
  surface: "overlay",
  test: 0,
  currency: "EUR",
  blocked: 1,
  served: 2,
  impressions: 2,
  clicks: 1,
  billable_clicks: 1,
  spend_micros: 250_000,
  filtered: 0,
  drawn: 0,
  earned_micros: 175_000,
  ...members,
});
const unpaid = { spend_micros: 0, earned_micros: 0 };
const asked = (members: Partial<ReportFilter> = {}): ReportFilter => ({
  websites,
  from: "2026-11-01",
  to: "2026-11-30",
  test: false,
  eventTypes: [],
  groupBy: defaultGrouping,
  ...members,
});
const save = async (db: Kysely<Schema>, cells: Insertable<CounterTable>[]) => {
  await db.insertInto("counter").values(cells).execute();
  await fillSums(db);
};
const read = async (db: Kysely<Schema>, filter: ReportFilter): Promise<ReportAnswer> =>
  JSON.parse(new TextDecoder().decode(await reportText(db, filter, "json")));

describe("a report", () => {
  it("gives one row a cell, over the surfaces, with sums that are the rows' own", async () => {
    const { db } = await freshCatalogue();
    await save(db, [
      cell({}),
      cell({ surface: "section", blocked: 0 }),
      cell({ currency: "", served: 0, impressions: 0, clicks: 0, billable_clicks: 0, ...unpaid }),
      cell({ country: "US", filtered: 4 }),
    ]);
    expect(await read(db, asked({ websites: websites.slice(0, 1) }))).toEqual({
      from: "2026-11-01",
      to: "2026-11-30",
      items: [
        {
          date: "2026-11-20",
          websiteKey: "ws_1",
          country: "DE",
          vertical: "mobile",
          blocked: 2,
          served: 4,
          impressions: 4,
          clicks: 2,
          billableClicks: 2,
          spend: 500_000,
          filtered: 0,
          drawn: 0,
          earnings: 350_000,
          currency: "EUR",
        },
        {
          date: "2026-11-20",
          websiteKey: "ws_1",
          country: "US",
          vertical: "mobile",
          blocked: 1,
          served: 2,
          impressions: 2,
          clicks: 1,
          billableClicks: 1,
          spend: 250_000,
          filtered: 4,
          drawn: 0,
          earnings: 175_000,
          currency: "EUR",
        },
      ],
      totals: {
        blocked: 3,
        served: 6,
        impressions: 6,
        clicks: 3,
        billableClicks: 3,
        spend: 750_000,
        filtered: 4,
        drawn: 0,
        earnings: 525_000,
      },
      totalsByCurrency: [
        {
          blocked: 3,
          served: 6,
          impressions: 6,
          clicks: 3,
          billableClicks: 3,
          spend: 750_000,
          filtered: 4,
          drawn: 0,
          earnings: 525_000,
          currency: "EUR",
        },
      ],
    });
  });

  it.each<[string, Partial<ReportFilter>, number]>([
    ["the websites that are asked for", { websites: websites.slice(0, 1) }, 3],
    ["no website at all", { websites: [] }, 0],
    ["a country", { country: "US" }, 1],
    ["a vertical", { vertical: "energy" }, 1],
    ["a surface", { surface: "section" }, 1],
    ["test traffic", { test: true }, 1],
    ["the range, both ends included", { from: "2026-11-19", to: "2026-11-19" }, 1],
    ["an event type", { eventTypes: ["click"] }, 3],
    ["any of two event types", { eventTypes: ["click", "blocked"] }, 4],
  ])("is limited to %s", async (_name, filter, rows) => {
    const { db } = await freshCatalogue();
    await save(db, [
      cell({ country: "US", clicks: 0 }),
      cell({ day: dayOf("2026-11-19"), vertical: "energy" }),
      cell({ surface: "section", country: "FR" }),
      cell({ website_id: 2, blocked: 0 }),
      cell({ test: 1 }),
      cell({ website_id: 3 }),
      cell({ day: dayOf("2026-10-31") }),
      cell({ day: dayOf("2026-12-01") }),
    ]);
    expect((await read(db, asked(filter))).items).toHaveLength(rows);
  });

  describe("of several currencies", () => {
    const free = { billable_clicks: 0, ...unpaid };
    const figures = ({ blocked, served, clicks, spend, currency }: ReportAnswer["items"][number]) => ({
      currency,
      blocked,
      served,
      clicks,
      spend,
    });
    const fill = (db: Kysely<Schema>) =>
      save(db, [
        cell({ currency: "", ...free, served: 0, impressions: 0, clicks: 0 }),
        cell({ blocked: 0 }),
        cell({ currency: "JPY", blocked: 0, served: 3, clicks: 2, spend_micros: 90_000_000 }),
        cell({ currency: "USD", ...free, blocked: 0, served: 7, clicks: 0 }),
        cell({ website_id: 2, vertical: "news" }),
        cell({ website_id: 2, vertical: "news", country: "US", currency: "KWD", ...free }),
      ]);

    it("has a row for each in which money moved, and one of null for what cost nothing", async () => {
      const { db } = await freshCatalogue();
      await fill(db);
      const { items, totals, totalsByCurrency } = await read(db, asked({ groupBy: ["websiteKey"] }));
      expect(items.map((row) => [row.websiteKey, figures(row)])).toEqual([
        ["ws_1", { currency: "EUR", blocked: 0, served: 2, clicks: 1, spend: 250_000 }],
        ["ws_1", { currency: "JPY", blocked: 0, served: 3, clicks: 2, spend: 90_000_000 }],
        ["ws_1", { currency: null, blocked: 1, served: 7, clicks: 0, spend: 0 }],
        // One currency alone: all that is counted there stays one row.
        ["ws_2", { currency: "EUR", blocked: 2, served: 4, clicks: 2, spend: 250_000 }],
      ]);
      expect(totals).toMatchObject({ blocked: 3, served: 16, clicks: 5, billableClicks: 3, spend: null });
      expect(totalsByCurrency.map(figures)).toEqual([
        { currency: "EUR", blocked: 2, served: 6, clicks: 3, spend: 500_000 },
        { currency: "JPY", blocked: 0, served: 3, clicks: 2, spend: 90_000_000 },
        { currency: null, blocked: 1, served: 7, clicks: 0, spend: 0 },
      ]);
    });

    it("sums up money of a currency alike whatever the grouping, and other counters by the rows that carry it", async () => {
      const { db } = await freshCatalogue();
      await fill(db);
      const inEuro = async (groupBy: ReportFilter["groupBy"]) => {
        const { totalsByCurrency } = await read(db, asked({ groupBy }));
        return totalsByCurrency.map(figures).find(({ currency }) => currency === "EUR");
      };
      const [byWebsite, byCountry] = [await inEuro(["websiteKey"]), await inEuro(["country"])];
      expect([byWebsite?.spend, byCountry?.spend]).toEqual([500_000, 500_000]);
      expect([byWebsite?.blocked, byCountry?.blocked]).toEqual([2, 1]);
    });

    it.each<[string, Partial<ReportFilter>, (string | null)[], number | null]>([
      ["in one website, which has one", { websites: websites.slice(1) }, ["EUR"], 250_000],
      ["where money moved in none", { country: "US" }, [null], 0],
      [
        "in rows of which only those without money are shown",
        { eventTypes: ["blocked"] },
        ["EUR", null],
        250_000,
      ],
      ["of nothing", { country: "FR" }, [], 0],
    ])("adds money up where there is one: %s", async (_name, filter, currencies, spend) => {
      const { db } = await freshCatalogue();
      await fill(db);
      const { totals, totalsByCurrency } = await read(db, asked({ groupBy: ["websiteKey"], ...filter }));
      expect(totalsByCurrency.map(({ currency }) => currency)).toEqual(currencies);
      expect(totals.spend).toBe(spend);
    });

    it("has the same rows as CSV, where null is empty", async () => {
      const { db } = await freshCatalogue();
      await fill(db);
      const { items } = await read(db, asked());
      const text = new TextDecoder().decode(await reportText(db, asked(), "csv"));
      const lines = text.trimEnd().split("\r\n");
      // `earnings` came last, and is behind whatever stood there before.
      const inOrder = items.map(({ earnings, ...row }) => ({ ...row, earnings }));
      expect(lines[0]).toBe(Object.keys(inOrder[0] ?? {}).join(","));
      expect(lines.slice(1)).toEqual(inOrder.map((row) => Object.values(row).join(",")));
      expect(lines.filter((line) => /,,\d+$/.test(line))).toHaveLength(2);
    });
  });

  describe("of more than a number holds exactly", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const textOf = async (
      cells: Insertable<CounterTable>[],
      filter: Partial<ReportFilter> = {},
      format: "json" | "csv" = "json",
    ) => {
      const { db } = await freshCatalogue();
      await save(db, cells);
      return new TextDecoder().decode(await reportText(db, asked(filter), format));
    };
    const at = (country: string, micros: number | bigint) =>
      cell({ country, spend_micros: micros as number, earned_micros: micros as number });

    it.each<[string, bigint[], Partial<ReportFilter>]>([
      ["within a row of a table", [9_007_199_254_740_993n], {}],
      ["in rows that SQL adds up", [BigInt(most), 2n], { groupBy: ["vertical"] }],
      ["in the totals alone", [BigInt(most), 2n], {}],
      ["far beyond", [BigInt(most), BigInt(most), BigInt(most), 4n], {}],
      ["at the last exact one", [BigInt(most) - 1n, 1n], { groupBy: ["vertical"] }],
    ])("writes every digit: %s", async (_name, amounts, filter) => {
      const cells = amounts.map((amount, index) => at(["DE", "FR", "GB", "US"][index] ?? "", amount));
      const sum = amounts.reduce((total, amount) => total + amount, 0n);
      const text = await textOf(cells, filter);
      expect(text).toContain(`"totals":{"blocked":${amounts.length},`);
      expect(text.match(/"totals".*?"spend":(\d+)/)?.[1]).toBe(String(sum));
      expect(text.match(/"totals".*?"earnings":(\d+)/)?.[1]).toBe(String(sum));
      const rows = Array.from(text.matchAll(/"country.*?"spend":(\d+)/g), ([, digits]) =>
        BigInt(digits ?? ""),
      );
      if (filter.groupBy === undefined) expect(rows.slice(0, amounts.length)).toEqual(amounts);
      expect(text.match(/"totalsByCurrency":\[.*?"spend":(\d+)/)?.[1]).toBe(String(sum));
      const csv = await textOf(cells, { ...filter, groupBy: ["vertical"] }, "csv");
      const line = csv.split("\r\n")[1]?.split(",");
      expect([line?.[6], line?.at(-1)]).toEqual([String(sum), String(sum)]);
    });
  });

  it("leaves out a row in which everything has come back to 0", async () => {
    const { db } = await freshCatalogue();
    const nothing = { blocked: 0, served: 0, impressions: 0, clicks: 0, billable_clicks: 0, ...unpaid };
    await save(db, [cell({ ...nothing, filtered: 0 })]);
    expect((await read(db, asked())).items).toEqual([]);
  });

  it.each<[string, Partial<ReportFilter>]>([
    ["of all that is told apart", {}],
    ["of one website", { websites: websites.slice(1) }],
    ["by day and vertical", { groupBy: ["vertical", "date"] }],
    ["by country and website", { groupBy: ["country", "websiteKey"] }],
  ])(
    "has its rows in the order of their dimensions, websites as they were made: %s",
    async (_name, filter) => {
      const { db } = await freshCatalogue();
      const cells = ["2026-11-21", "2026-11-20"].flatMap((date) =>
        [2, 1].flatMap((website) =>
          ["US", "DE", "ZZ"].flatMap((country) =>
            ["travel", "news", "Zoo"].map((vertical) =>
              cell({ day: dayOf(date), website_id: website, country, vertical }),
            ),
          ),
        ),
      );
      await save(db, cells);
      const { items } = await read(db, asked(filter));
      const places = items.map(({ date, websiteKey, country, vertical }) =>
        [date, websiteKey, country, vertical].join(),
      );
      expect(places.length).toBeGreaterThan(5);
      expect(places).toEqual([...new Set(places)].sort());
      if (filter.groupBy === undefined) expect(places.join()).toMatch(/DE,Zoo.*DE,news.*DE,travel/);
    },
  );

  it("has no websites' rows where none is asked for, and no publisher's of another", async () => {
    const { db } = await freshCatalogue();
    await save(db, [cell({}), cell({ website_id: 2 }), cell({ website_id: 3, clicks: 50 })]);
    const byCountry = await read(db, asked({ groupBy: ["country"] }));
    expect(byCountry.items).toMatchObject([{ country: "DE", clicks: 2 }]);
    expect((await read(db, asked({ websites: [] }))).items).toEqual([]);
  });

  it("writes CSV with a header, the dimensions that are asked for, and texts that are no formulas", async () => {
    const { db } = await freshCatalogue();
    await save(db, [cell({ vertical: "=odd" }), cell({ website_id: 2, vertical: "news" })]);
    const text = await reportText(db, asked({ groupBy: ["vertical", "websiteKey"] }), "csv");
    expect(new TextDecoder().decode(text).split("\r\n")).toEqual([
      "websiteKey,vertical,blocked,served,impressions,clicks,billableClicks,spend,filtered,drawn,currency,earnings",
      "ws_1,'=odd,1,2,2,1,1,250000,0,0,EUR,175000",
      "ws_2,news,1,2,2,1,1,250000,0,0,EUR,175000",
      "",
    ]);
  });

  it("keeps what advertisers pay to itself where the operator says so, in each row, sum and line", async () => {
    const { db } = await freshCatalogue();
    await save(db, [
      cell({ spend_micros: 987_654 }),
      cell({ spend_micros: 987_654, currency: "JPY" }),
      cell({ ...unpaid, billable_clicks: 0, currency: "", country: "US" }),
    ]);
    await db.updateTable("publisher").set({ shows_spend: 0 }).where("number", "=", 1).execute();
    const textOf = async (filter: ReportFilter, format: "json" | "csv") =>
      new TextDecoder().decode(await reportText(db, filter, format));
    const text = await textOf(asked(), "json");
    const { items, totals, totalsByCurrency }: ReportAnswer = JSON.parse(text);
    const money = (rows: typeof totalsByCurrency) =>
      rows.map((row) => [row.currency, row.spend, row.earnings]);
    const earned = [
      ["EUR", null, 175_000],
      ["JPY", null, 175_000],
      [null, null, 0],
    ];
    expect(money(items)).toEqual(earned);
    expect(money(totalsByCurrency)).toEqual(earned);
    expect(totals).toMatchObject({ billableClicks: 2, spend: null, earnings: null });
    const inEuros = await read(db, asked({ country: "US" }));
    expect(inEuros.totals).toMatchObject({ spend: null, earnings: 0 });
    const csv = await textOf(asked({ groupBy: ["country"] }), "csv");
    expect(csv.split("\r\n").slice(1)).toEqual([
      "DE,1,2,2,1,1,,0,0,EUR,175000",
      "DE,1,2,2,1,1,,0,0,JPY,175000",
      "US,1,2,2,1,0,,0,0,,0",
      "",
    ]);
    for (const told of [text, csv]) expect(told).not.toContain("987654");
    await db.updateTable("publisher").set({ shows_spend: 1 }).execute();
    expect((await read(db, asked())).items[0]?.spend).toBe(987_654);
  });

  it("is whole, however long and in whatever letters", async () => {
    const { db } = await freshCatalogue();
    const verticals = Array.from({ length: 600 }, (_, number) => `${"語".repeat(300)}${1000 + number}`);
    await save(
      db,
      verticals.map((vertical) => cell({ vertical })),
    );
    const { items } = await read(db, asked({ groupBy: ["country", "vertical"] }));
    expect(items.map(({ vertical }) => vertical)).toEqual(verticals);
  });

  it("is bytes of its own, however short, so that they can be moved to another thread", async () => {
    const { db } = await freshCatalogue();
    const text = await reportText(db, asked(), "json");
    expect(text.buffer.byteLength).toBe(text.byteLength);
  });

  it.each([
    ["as they lie in a table", defaultGrouping],
    ["added up", ["country"] as const],
  ])("has no more rows than are asked for, nor is read: %s", async (_, groupBy) => {
    const { db } = await freshCatalogue();
    await save(
      db,
      ["DE", "FR", "US"].flatMap((country) => [
        cell({ country }),
        // What cost nothing makes a row with what did.
        cell({ ...unpaid, country, currency: "", billable_clicks: 0 }),
      ]),
    );
    const within = (mostRows: number) => boundedReportText(db, asked({ groupBy, mostRows }), "json");
    expect(await within(2)).toBe("too_many_rows");
    expect(await within(3)).toEqual(await reportText(db, asked({ groupBy }), "json"));
  });
});
