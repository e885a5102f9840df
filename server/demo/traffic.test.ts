import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { websiteKey } from "@offers/contract/ids";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Offer } from "../core/catalogue.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import type { JournalEntry } from "../core/journal-entry.ts";
import type { ReportFilter } from "../core/report-filter.ts";
import { dateOfDay, dayNumber } from "../core/utc-day.ts";
import { audit } from "../store/books/audit.ts";
import { recount } from "../store/books/recount.ts";
import { readReport } from "../store/books/report.ts";
import { readCatalogueChanges } from "../store/catalogue/catalogue-changes.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { createPublisher } from "../store/catalogue/publishers.ts";
import { readTagCalls } from "../store/catalogue/tag-calls.ts";
import { openCatalogue } from "../store/open-store.ts";
import { newDatabase } from "../testing/engine-of-tests.ts";
import { fillDemo } from "./fill-demo.ts";
import { seedDemo } from "./seed.ts";
import { demoWebsites } from "./sites.ts";
import { demoTraffic, demoTrafficDays, demoTrafficStart } from "./traffic.ts";
import { seedDemoTraffic } from "./traffic-seed.ts";

const now = Date.parse("2026-11-20T10:00:00Z");
const demoOrigin = "http://localhost:8788";
const folder = mkdtempSync(join(tmpdir(), "demo-traffic-"));
const opened: { close(): Promise<void>; remove(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { close, remove } of opened) {
    await close();
    await remove();
  }
  rmSync(folder, { recursive: true });
});

const open = async () => {
  const { address: database, remove } = await newDatabase(folder);
  const saved = await openCatalogue({
    database,
    actor: { kind: "command_line", name: "demo data" },
    clock: () => now,
  });
  opened.push({ close: saved.close, remove });
  const fill = (seedDemo: "nothing" | "catalogue" | "traffic") =>
    fillDemo(saved, { database, demoOrigin, production: false, seedDemo }, now);
  return { saved, fill };
};
const rowsOf = async ({ db }: OpenCatalogue, table: "fact" | "cell" | "ledger_line" | "snippet_ping") =>
  Number((await db.selectFrom(table).select(db.fn.countAll().as("rows")).executeTakeFirstOrThrow()).rows);

describe("the demo's traffic", () => {
  let saved: OpenCatalogue;
  let entries: readonly JournalEntry[];
  const generate = async (): Promise<JournalEntry[]> => {
    const catalogue = createCatalogue();
    const offers: Offer[] = [];
    await readCatalogueChanges(saved.db, 0, (part) => {
      catalogue.apply(part);
      offers.push(...part.offers);
    });
    return demoTraffic({ catalogue, offers, now });
  };
  const report = async (own: Partial<ReportFilter>, keys = ["ws_journal", "ws_courier"]) => {
    const all = await saved.db.selectFrom("website").select(["id", "key"]).execute();
    const websites = all
      .filter(({ key }) => keys.includes(key))
      .map(({ id, key }) => ({ id, key: websiteKey.parse(key) }));
    return readReport(saved.db, {
      websites,
      from: dateOfDay(dayNumber(demoTrafficStart(now))),
      to: dateOfDay(dayNumber(now)),
      test: false,
      eventTypes: [],
      groupBy: ["date"],
      ...own,
    });
  };
  beforeAll(async () => {
    ({ saved } = await open());
    await seedDemo(saved, { now: demoTrafficStart(now), demoOrigin, production: false });
    entries = await generate();
    await seedDemoTraffic(saved, now);
  });

  test("is recorded by the rules of real visits: counters and ledger add up", async () => {
    expect((await recount(saved.db)).differences).toEqual([]);
    expect((await audit(saved.db)).differences).toEqual([]);
    expect(await rowsOf(saved, "ledger_line")).toBeGreaterThan(1000);
  });

  test("is the same for the same catalogue and moment", async () => {
    const digest = (all: readonly JournalEntry[]) =>
      createHash("sha256").update(JSON.stringify(all)).digest("hex");
    expect(digest(await generate())).toBe(digest(entries));
    expect(entries.length).toBeGreaterThan(30_000);
    expect(entries.length).toBeLessThan(60_000);
  });

  test("lies within the 90 days before, the visits in the order of time", () => {
    const times = entries.flatMap((entry) => (entry.kind === "blocked" ? [entry.visit.at] : []));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    for (const entry of entries) {
      const at = "visit" in entry ? entry.visit.at : "at" in entry ? entry.at : Number.NaN;
      expect(at).toBeGreaterThanOrEqual(demoTrafficStart(now));
      expect(at).toBeLessThanOrEqual(now);
    }
  });

  test("fills each of the 90 days, and each figure is within the one before it", async () => {
    const { rows } = await report({});
    const days = Map.groupBy(rows, ({ day }) => day);
    expect(days.size).toBe(demoTrafficDays);
    for (const sums of days.values()) {
      const sum = (column: "blocked" | "served" | "drawn" | "impressions" | "clicks") =>
        sums.reduce((total, row) => total + Number(row[column]), 0);
      expect(sum("blocked")).toBeGreaterThan(0);
      expect(sum("impressions")).toBeGreaterThan(0);
      expect(sum("clicks")).toBeLessThanOrEqual(sum("impressions"));
      expect(sum("impressions")).toBeLessThanOrEqual(sum("drawn"));
      expect(sum("drawn")).toBeLessThanOrEqual(sum("served"));
    }
    const negative = rows.filter((row) => Object.values(row).some((value) => Number(value) < 0));
    expect(negative).toEqual([]);
  });

  test("has a believable click rate on each live website, money, and a share that does not count", async () => {
    for (const { key, website } of demoWebsites(demoOrigin)) {
      if (website.development) continue;
      const { totals } = await report({}, [key]);
      const rate = Number(totals.clicks) / Number(totals.impressions);
      expect(rate, key).toBeGreaterThan(0.01);
      expect(rate, key).toBeLessThan(0.06);
      expect(Number(totals.spend_micros), key).toBeGreaterThan(1_000_000);
      expect(Number(totals.filtered) / Number(totals.served), key).toBeGreaterThan(0.01);
      expect(Number(totals.filtered) / Number(totals.served), key).toBeLessThan(0.2);
    }
  });

  test("leaves the offers that have little money to whoever tries the demo", async () => {
    const billed = await saved.db
      .selectFrom("spend")
      .select("subject")
      .where("spent_micros", ">", 0)
      .execute();
    const subjects = billed.map(({ subject }) => subject);
    expect(subjects).toContain("offer_brightwave_wind_gb");
    for (const scarce of ["offer_lumen_5g_us", "offer_northstar_stocks_us", "advertiser_quickbite-meals"]) {
      expect(subjects).not.toContain(scarce);
    }
  });

  test("dips for two days on one website", async () => {
    const { rows } = await report({}, ["ws_courier"]);
    const blockedOn = (back: number): number =>
      rows
        .filter(({ day }) => day === dayNumber(now) - back)
        .reduce((sum, { blocked }) => sum + Number(blocked), 0);
    for (const back of [33, 34]) expect(blockedOn(back) * 2).toBeLessThan(blockedOn(back + 2));
  });

  test("of a development website is test traffic and bills nothing", async () => {
    const { totals } = await report({ test: true }, ["ws_preview"]);
    expect(Number(totals.impressions)).toBeGreaterThan(50);
    expect(Number(totals.spend_micros)).toBe(0);
    expect(Number((await report({}, ["ws_preview"])).totals.blocked)).toBe(0);
    expect(Number((await report({ test: true }, ["ws_journal"])).totals.blocked)).toBe(0);
  });

  test("ends with two things that want attention: pages on an unregistered address, and a silent tag", async () => {
    const calls = await readTagCalls(saved.db, websiteKey.parse("ws_harbour"), 0);
    expect(calls.refused).toEqual([
      {
        origin: "https://www.weekly.harbour.example",
        code: "origin_not_registered",
        pub: null,
        times: 23,
        at: expect.any(Number),
      },
    ]);
    const refusedAt = calls.refused[0]?.at ?? 0;
    expect(refusedAt).toBeGreaterThan(now - 60 * 60_000);
    // A page that is well would say that it is mended.
    expect(calls.lastPing?.at).toBeLessThan(refusedAt);
    const { lastPing, refused } = await readTagCalls(saved.db, websiteKey.parse("ws_loan"), 0);
    expect(lastPing?.at).toBeLessThan(now - 6 * 60 * 60_000);
    expect(refused).toEqual([]);
  });
});

describe("filling an empty database", () => {
  test("with the catalogue alone leaves no event", async () => {
    const { saved, fill } = await open();
    expect(await fill("nothing")).toBe(false);
    expect(await fill("catalogue")).toBe(true);
    expect(await fill("catalogue")).toBe(false);
    for (const table of ["fact", "cell", "snippet_ping"] as const) expect(await rowsOf(saved, table)).toBe(0);
  });

  test("with traffic does it once, and completes a start that was cut off before", async () => {
    const { saved, fill } = await open();
    await seedDemo(saved, { now, demoOrigin, production: false });
    expect(await fill("traffic")).toBe(true);
    const facts = await rowsOf(saved, "fact");
    expect(facts).toBeGreaterThan(30_000);
    expect(await fill("traffic")).toBe(false);
    expect(await rowsOf(saved, "fact")).toBe(facts);
  });

  test("adds no traffic to what somebody has changed or made", async () => {
    const { saved, fill } = await open();
    await seedDemo(saved, { now, demoOrigin, production: false });
    await createPublisher(saved, { name: "Mine" }, { now });
    expect(await fill("traffic")).toBe(false);
    const { saved: own, fill: fillOwn } = await open();
    await createPublisher(own, { name: "Mine" }, { now });
    expect(await fillOwn("traffic")).toBe(false);
    expect(await rowsOf(own, "cell")).toBe(0);
  });

  test("that fails half way leaves nothing of the traffic", async () => {
    const { saved, fill } = await open();
    await fill("catalogue");
    const blocked = { kind: "snippet_ping", websiteId: 1, host: "a", url: "", scriptVersion: "" } as const;
    const good: JournalEntry = { ...blocked, surface: "overlay", at: now };
    const bad = { ...good, host: null } as unknown as JournalEntry;
    await expect(saved.record([good, bad])).rejects.toThrow(/not.null/i);
    expect(await rowsOf(saved, "snippet_ping")).toBe(0);
  });
});
