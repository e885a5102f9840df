import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { reportDimensions } from "@offers/contract/reports";
import type { Insertable, Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import type { CounterTable, Schema } from "../schema.ts";
import { type ReportFilter, readReport } from "./report.ts";

const freshCatalogue = async () => {
  const catalogue = await newCatalogue(tmpdir());
  onTestFinished(() => catalogue.close());
  return catalogue;
};

const websites = [
  { id: 1, key: websiteKey.parse("ws_a") },
  { id: 2, key: websiteKey.parse("ws_b") },
];
const cell = (members: Partial<CounterTable>): Insertable<CounterTable> => ({
  day: "2026-11-20",
  website_id: 1,
  country: "DE",
  vertical: "mobile",
  surface: "overlay",
  test: 0,
  blocked: 1,
  served: 2,
  impressions: 2,
  clicks: 1,
  billable_clicks: 1,
  spend_micros: 250_000,
  filtered: 0,
  ...members,
});
const asked = (members: Partial<ReportFilter> = {}): ReportFilter => ({
  websites,
  from: "2026-11-01",
  to: "2026-11-30",
  test: false,
  eventTypes: [],
  groupBy: reportDimensions,
  ...members,
});
const save = (db: Kysely<Schema>, cells: Insertable<CounterTable>[]) =>
  db.insertInto("counter").values(cells).execute();

describe("a report", () => {
  it("gives one row a cell, over the surfaces, with sums that are the rows' own", async () => {
    const { db } = await freshCatalogue();
    await save(db, [
      cell({}),
      cell({ surface: "section", blocked: 0 }),
      cell({ country: "US", filtered: 4 }),
    ]);
    expect(await readReport(db, asked())).toEqual({
      items: [
        {
          date: "2026-11-20",
          websiteKey: "ws_a",
          country: "DE",
          vertical: "mobile",
          blocked: 1,
          served: 4,
          impressions: 4,
          clicks: 2,
          billableClicks: 2,
          spend: 500_000,
          filtered: 0,
        },
        {
          date: "2026-11-20",
          websiteKey: "ws_a",
          country: "US",
          vertical: "mobile",
          blocked: 1,
          served: 2,
          impressions: 2,
          clicks: 1,
          billableClicks: 1,
          spend: 250_000,
          filtered: 4,
        },
      ],
      totals: {
        blocked: 2,
        served: 6,
        impressions: 6,
        clicks: 3,
        billableClicks: 3,
        spend: 750_000,
        filtered: 4,
      },
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
      cell({ day: "2026-11-19", vertical: "energy" }),
      cell({ surface: "section", country: "FR" }),
      cell({ website_id: 2, blocked: 0 }),
      cell({ test: 1 }),
      cell({ website_id: 3 }),
      cell({ day: "2026-10-31" }),
      cell({ day: "2026-12-01" }),
    ]);
    expect((await readReport(db, asked(filter))).items).toHaveLength(rows);
  });

  it("leaves out a row in which everything has come back to 0", async () => {
    const { db } = await freshCatalogue();
    const nothing = { blocked: 0, served: 0, impressions: 0, clicks: 0, billable_clicks: 0, spend_micros: 0 };
    await save(db, [cell({ ...nothing, filtered: 0 })]);
    expect((await readReport(db, asked())).items).toEqual([]);
  });
});
