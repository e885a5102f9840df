import { tmpdir } from "node:os";
import { websiteKey } from "@offers/contract/ids";
import { defaultGrouping } from "@offers/contract/reports";
import { Kysely, SqliteDialect } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import type { ReportFilter } from "../../core/report-filter.ts";
import { dayNumber } from "../../core/utc-day.ts";
import { fillSums, makePublishers } from "../books/counters-for-tests.ts";
import { reportText } from "../books/report-text.ts";
import type { Schema } from "../schema.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

const websites = [1, 2].map((id) => ({ id, key: websiteKey.parse(`ws_${id}`) }));

it.each<[string, Partial<ReportFilter>, string[]]>([
  ["one website by everything", { websites: websites.slice(0, 1) }, []],
  // Of the sums, a row for each day.
  [
    "one website by day",
    { websites: websites.slice(0, 1), groupBy: ["date"] },
    ["USE TEMP B-TREE FOR GROUP BY", "USE TEMP B-TREE FOR ORDER BY"],
  ],
  ["all websites by day, country and vertical", { groupBy: ["date", "country", "vertical"] }, []],
])("reads %s in the order of the table's key, without a sort of its rows", async (_, filter, after) => {
  const catalogue = await newCatalogueFile(tmpdir());
  onTestFinished(() => catalogue.close());
  const { db, sqlite } = catalogue;
  await makePublishers(db, [2, 1]);
  await db
    .insertInto("counter")
    .values({
      ...{ day: dayNumber(Date.parse("2026-11-20")), website_id: 1, country: "DE", vertical: "mobile" },
      ...{ surface: "overlay", test: 0, currency: "EUR", blocked: 1, served: 2, impressions: 2, clicks: 1 },
      ...{ billable_clicks: 1, spend_micros: 250_000, filtered: 0, drawn: 0, earned_micros: 175_000 },
    })
    .execute();
  await fillSums(db);
  const statements: string[] = [];
  const listening = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: sqlite }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  await reportText(
    listening,
    {
      ...{ websites, from: "2026-11-01", to: "2026-11-30", test: false, eventTypes: [] },
      groupBy: defaultGrouping,
      ...filter,
    },
    "json",
  );
  const statement =
    statements.find((text) => text.includes("order by")) ?? expect.fail("nothing was ordered");
  const anything = Array.from(statement.matchAll(/\?/g), () => 1);
  const explained = sqlite
    .prepare<number[], { detail: string }>(`explain query plan ${statement}`)
    .all(...anything);
  const plans = explained.map(({ detail }) => detail);
  expect(plans).toEqual([
    expect.stringMatching(/^SEARCH .* USING PRIMARY KEY \((website_id|publisher)=\? AND day/),
    ...after,
  ]);
});
