import { advertiserInput, offerInput } from "@offers/contract/catalogue";
import { reportQuery } from "@offers/contract/reports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { reportNoun } from "./report.ts";
import { runBeside } from "./run-for-tests.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const run = (...args: string[]) => runBeside(service, ["report", ...args]);

const day = 86_400_000;

test("a website's figures by day and currency, the click just made among them", async () => {
  await service.change(async (db) => {
    const input = advertiserInput.parse({ name: "Swiss", currency: "CHF", balanceMicros: 9_000_000 });
    const advertiserId = await createAdvertiser(db, input, { now: 0 });
    const swiss = { brand: "Swiss", vertical: "games", title: "Swiss", geoCoverage: ["DE"], currency: "CHF" };
    const priced = { payoutModel: "CPC", payoutMicros: 800_000, landingUrl: "https://swiss.example/" };
    await createOffer(db, offerInput.parse({ advertiserId, ...swiss, ...priced }), {
      now: 0,
      rules: fewPlaces,
    });
  });
  await service.decide();
  service.moveClock(day);
  const { offers } = await service.visit();
  for (const brand of ["Swiss", "Premium"]) {
    await service.follow(offers.find((one) => one.brand === brand)?.url ?? "");
  }
  const { code, out } = await run("--website", "ws_a", "--json");
  expect(code).toBe(0);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ websiteKey: "ws_a", traffic: "live", from: "2026-10-23", to: "2026-11-21" });
  const figures = report.items.map((item: Record<string, unknown>) => [
    item.date,
    item.blocked,
    item.clicks,
    item.billableClicks,
    item.spend,
    item.currency,
  ]);
  expect(figures).toEqual([
    ["2026-11-20", 1, 0, 0, 0, null],
    ["2026-11-21", 0, 1, 1, 800_000, "CHF"],
    ["2026-11-21", 0, 1, 1, 500_000, "EUR"],
    ["2026-11-21", 1, 0, 0, 0, null],
  ]);
  expect(report.totals).toMatchObject({ blocked: 2, clicks: 2, spend: null });
  expect(report.totalsByCurrency.map(({ spend }: { spend: number }) => spend)).toEqual([800_000, 500_000, 0]);
});

test("as a table, of today alone", async () => {
  const { out } = await run("--website", "ws_a", "--today");
  const [head, titles, ...rows] = out.trimEnd().split("\n");
  expect(head).toBe("ws_a, live traffic, 2026-11-21 to 2026-11-21");
  expect(titles).toMatch(
    /^DATE +BLOCKED +SERVED +IMPRESSIONS +CLICKS +BILLABLE CLICKS +SPEND +FILTERED +DRAWN +EARNINGS +CURRENCY$/,
  );
  expect(rows.splice(-2)).toEqual([
    "earnings per blocked visit: 0.80 CHF",
    "earnings per blocked visit: 0.50 EUR",
  ]);
  const told = rows.map((row) => row.split(/ {2,}/));
  expect(told.map((cells) => [cells[0], cells[1], cells[6], cells[10]])).toEqual([
    ["2026-11-21", "0", "0.80", "CHF"],
    ["2026-11-21", "0", "0.50", "EUR"],
    ["2026-11-21", "1", "0.00", "-"],
    ["all days", "1", "-", "-"],
    ["of these in CHF", "0", "0.80", "CHF"],
    ["of these in EUR", "0", "0.50", "EUR"],
  ]);
});

test("a development website's are those of its tests", async () => {
  await service.decide({ website: "ws_dev" });
  const counted = async (...more: string[]) =>
    JSON.parse((await run("--website", "ws_dev", "--json", ...more)).out).totals.blocked;
  expect(await counted()).toBe(1);
  expect(await counted("--traffic", "live")).toBe(0);
  expect((await run("--website", "ws_b")).out).toContain("\nnothing happened\n");
});

test.each([
  [["--from", "2026-02-30"], /--from: must be a date/],
  [["--from", "2026-11-22", "--to", "2026-11-21"], /--from: must not be after to/],
  [["--today", "--from", "2026-11-20"], /--today: stands alone/],
  [["--traffic", "both"], /--traffic: must be/],
  [["--country", "XX"], /^--country: must be a country of ISO 3166-1/],
  [["--region", "US-QQ"], /^--region: must be a region by ISO 3166-2/],
  [["--country", "US", "--region", "US-QQ"], /^--region: must be a region of US/],
  [["--country", "AU", "--region", "US-NJ"], /^--region: .* US-NJ names another country/],
  [["--offer", "offer_nobodys"], /^--offer: no offer has the id/],
])("%j is refused", async (args, message) => {
  const { code, err } = await run("--website", "ws_a", ...args);
  expect([code, message.test(err)]).toEqual([2, true]);
});

test("a website that is none is named", async () => {
  expect(await run("--website", "ws_none")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--website: no website"),
  });
});

test("the same by offer and device, narrowed, and with days of another zone", async () => {
  const last = service.context.clock();
  await service.visit();
  const by = ["--website", "ws_a", "--by", "device,offer", "--time-zone", "+09:00"];
  const { code, out } = await run(...by, "--placement", "premium", "--json");
  expect(code).toBe(0);
  const { items, to } = JSON.parse(out);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect([item.device, typeof item.offer]).toEqual(["desktop", "string"]);
  expect(to).toBe(new Date(last + 9 * 3_600_000).toISOString().slice(0, 10));
  const { out: printed } = await run("--website", "ws_a", "--by", "offer");
  expect(printed).toMatch(/^OFFER +BLOCKED/m);
  expect(printed).toMatch(/^- +3 /m);
  expect(printed).toMatch(/^offer_premium /m);
  for (const wrong of [
    ["--offer", "offer_nobodys"],
    ["--time-zone", "Europe/Berlin"],
    ["--by", "month"],
    ["--region", "NJ"],
    ["--region", "US-NJ", "--country", "AU"],
  ]) {
    expect((await run("--website", "ws_a", ...wrong)).code).not.toBe(0);
  }
});

// Of a vertical, and of a surface, what a blocked visit earns would be told wrongly (docs/guide.md).
test("every parameter of a report is an option, but for four", () => {
  const options = reportNoun.commands.flatMap((command) => command.options.map(({ field }) => field));
  const missing = Object.keys(reportQuery.shape).filter((name) => !options.includes(name));
  expect(missing).toEqual(["vertical", "eventType", "surface", "format"]);
});

test("has one row of all where money moved in one currency, and where none moved", async () => {
  await service.decide({ website: "ws_wild" });
  service.moveClock(day);
  const { offers } = await service.visit({ website: "ws_wild" });
  await service.follow(offers.find(({ brand }) => brand === "Premium")?.url ?? "");
  const sumsOf = async (...words: string[]) => {
    const { out } = await run("--website", "ws_wild", ...words);
    const rows = out.split("\n").map((row) => row.split(/ {2,}/));
    return rows
      .filter(([says]) => /^all|^of these/.test(says ?? ""))
      .map((cells) => [cells[0], cells[1], cells.at(-1)]);
  };
  // A day of nothing but blocked visits has no currency, and is a part of all days.
  expect(await sumsOf()).toEqual([["all days", "2", "EUR"]]);
  expect(await sumsOf("--to", "2026-11-21")).toEqual([["all days", "1", "-"]]);
  expect(await sumsOf("--by", "websiteKey")).toEqual([["all", "2", "EUR"]]);
});
