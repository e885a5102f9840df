import { tmpdir } from "node:os";
import type { Location } from "@offers/contract/location";
import { offerTexts } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogueRows } from "../core/catalogue.ts";
import { createLearntRates } from "../core/click-rates.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import { billablePriceMicros } from "../core/price.ts";
import { unpaced } from "../core/sample-catalogue.ts";
import { eligibleOffers } from "../core/targeting.ts";
import { listAdvertisers } from "../store/catalogue/advertiser-rows.ts";
import { newCatalogue } from "../store/catalogue/catalogue-for-tests.ts";
import { createPublisher, listPublishers } from "../store/catalogue/publishers.ts";
import { seedDemo } from "./seed.ts";

const previewOf = (key: string) => (key === "ws_journal" ? "ws_preview" : key.replace("ws_", "ws_preview_"));

const args = {
  now: Date.parse("2026-11-20T10:00:00Z"),
  demoOrigin: "http://localhost:8788",
  production: false,
};
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let rows: CatalogueRows;
beforeAll(async () => {
  catalogue = await newCatalogue(tmpdir());
  expect(await seedDemo(catalogue, args)).toBe(true);
  rows = await catalogue.changes();
});
afterAll(() => catalogue.close());

const activeOffers = () => rows.offers.filter(({ status }) => status === "active");

describe("the demo's catalogue", () => {
  test("has the publishers and websites that the demo's pages name", async () => {
    expect(
      (await listPublishers(catalogue.db)).map(({ publisherId, publicKey }) => [publisherId, publicKey]),
    ).toEqual([
      ["publisher_harbour", "pub_harbour"],
      ["publisher_northwind", "pub_northwind"],
    ]);
    expect(
      rows.websites
        .filter(({ key }) => !key.startsWith("ws_preview"))
        .map(({ key, publicKey, development, geoRule }) => [key, publicKey, development, geoRule]),
    ).toEqual([
      [
        "ws_journal",
        "pub_northwind",
        false,
        { mode: "allowlist", entries: ["DE", "AT", "CH", "US-NJ", "US-NY"], unknownLocation: "block" },
      ],
      [
        "ws_courier",
        "pub_northwind",
        false,
        { mode: "blocklist", entries: ["US-WA", "US-ID", "CA-QC", "FR"], unknownLocation: "allow" },
      ],
      [
        "ws_harbour",
        "pub_harbour",
        false,
        { mode: "allowlist", entries: ["GB", "IE"], unknownLocation: "block" },
      ],
      ["ws_loan", "pub_harbour", false, { mode: "blocklist", entries: [], unknownLocation: "allow" }],
    ]);
    for (const { origins } of rows.websites) {
      expect(origins).toContain("http://localhost:8788");
      expect(origins).not.toContain("http://127.0.0.1:8788");
      expect(origins.some((origin) => origin.startsWith("https://"))).toBe(true);
    }
  });

  test("has a twin of each website for the preview: development, and else the same", () => {
    const byKey = new Map(rows.websites.map((website) => [String(website.key), website]));
    const live = rows.websites.filter(({ key }) => !key.startsWith("ws_preview"));
    expect(rows.websites).toHaveLength(2 * live.length);
    for (const website of live) {
      const { publisherId, vertical, ownBrand, geoRule, settings, allowlist } = website;
      expect(byKey.get(previewOf(website.key))).toMatchObject({
        ...{ publisherId, vertical, ownBrand, geoRule, settings, allowlist },
        development: true,
      });
    }
  });

  test("is as wide as a demo needs to be", () => {
    const countries = new Set(
      activeOffers().flatMap(({ geoCoverage }) => geoCoverage.filter((entry) => /^[A-Z]{2}$/.test(entry))),
    );
    expect(rows.offers.length).toBeGreaterThanOrEqual(32);
    expect(new Set(rows.offers.map(({ brand }) => brand)).size).toBe(12);
    expect(new Set(activeOffers().map(({ vertical }) => vertical)).size).toBe(12);
    expect(countries.size).toBeGreaterThanOrEqual(12);
    expect(new Set(activeOffers().map(({ payoutModel }) => payoutModel))).toEqual(
      new Set(["CPC", "CPM", "CPA", "CPL", "REVSHARE"]),
    );
    const covered = activeOffers().flatMap(({ geoCoverage }) => geoCoverage);
    expect(covered).toEqual(expect.arrayContaining(["*", "US-NJ", "CA-QC", "US-WA"]));
    expect(activeOffers().filter(({ premium }) => premium).length).toBeGreaterThanOrEqual(4);
    expect(rows.offers.filter(({ status }) => status === "paused")).toHaveLength(1);
    expect(rows.offers.some(({ imageUrl }) => imageUrl === null)).toBe(true);
  });

  test("has offers with three clicks left, one that has run out, and an advertiser that soon will", async () => {
    const clicksLeft = (offer: (typeof rows.offers)[number]) =>
      offer.payoutModel === "CPC"
        ? Math.min(
            offer.totalClickCap ?? Number.POSITIVE_INFINITY,
            (offer.totalBudgetMicros ?? Number.POSITIVE_INFINITY) / billablePriceMicros(offer),
            (offer.dailyBudgetMicros ?? Number.POSITIVE_INFINITY) / billablePriceMicros(offer),
          )
        : Number.POSITIVE_INFINITY;
    expect(activeOffers().filter((offer) => clicksLeft(offer) === 3).length).toBeGreaterThanOrEqual(2);
    expect(activeOffers().filter((offer) => clicksLeft(offer) < 1)).toHaveLength(1);
    const balances = (await listAdvertisers(catalogue.db)).map(({ balanceMicros }) => balanceMicros);
    expect(balances).toHaveLength(12);
    expect(balances.filter((micros) => micros < 5_000_000)).toHaveLength(1);
  });

  test("writes each offer's own words", () => {
    for (const texts of [
      rows.offers.map(({ title }) => title),
      rows.offers.map(({ description }) => description),
      rows.offers.map(({ terms }) => terms),
    ]) {
      expect(new Set(texts).size).toBe(texts.length);
      expect(texts.every((text) => text.length > 10)).toBe(true);
    }
    expect(rows.offers.every(({ ctaText, disclosure }) => ctaText !== "" && disclosure !== "")).toBe(true);
    const gambling = rows.offers.filter(({ vertical }) => vertical === "gambling");
    expect(gambling.length).toBeGreaterThan(0);
    for (const { terms } of gambling) expect(terms).toContain("18+");
  });

  test("says all of it in six languages, each in its own words and of one length at the most", () => {
    for (const { id, language, locales, ...own } of rows.offers) {
      const said = { [language]: own, ...locales };
      expect(Object.keys(said).sort(), id).toEqual(["ar", "de", "en", "es", "fr", "ja"]);
      for (const name of offerTexts) {
        const texts = Object.values(said).map((texts) => texts[name]);
        // What it does not say in its own language it says in no other.
        if (own[name] === "" && texts.every((text) => !text)) continue;
        expect(
          texts.every((text) => text?.trim()),
          `${id} ${name}`,
        ).toBeTruthy();
        expect(new Set(texts).size, `${id} ${name}`).toBe(6);
      }
    }
    const scripts: [string, RegExp][] = [
      ["ar", /\p{Script=Arabic}/u],
      ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u],
    ];
    for (const [tag, script] of scripts) {
      for (const { locales } of rows.offers) {
        expect(Object.values(locales[tag] ?? {}).every((text) => script.test(text))).toBe(true);
      }
    }
    const gambling = rows.offers.filter(({ vertical }) => vertical === "gambling");
    for (const { locales } of gambling) {
      for (const { terms } of Object.values(locales)) expect(terms).toContain("18+");
    }
  });

  test("lands on the brand's own page of the demo site", () => {
    for (const { landingUrl, imageUrl, brand } of rows.offers) {
      const slug = brand.toLowerCase().replaceAll(" ", "-");
      expect(landingUrl).toBe(
        `http://localhost:8788/advertisers/${slug}?click_id={click_id}&offer={offer_id}&country={country}`,
      );
      if (imageUrl !== null) expect(imageUrl).toBe(`http://localhost:8788/brands/${slug}.svg`);
    }
  });

  test("pays in what its advertisers have, line by line", async () => {
    const lines = await catalogue.db.selectFrom("ledger_line").selectAll().execute();
    for (const { advertiserId, depositedMicros } of await listAdvertisers(catalogue.db)) {
      const { number } = await catalogue.db
        .selectFrom("advertiser")
        .select("number")
        .where("id", "=", advertiserId)
        .executeTakeFirstOrThrow();
      const own = lines.filter((line) => line.advertiser === number);
      expect(own.map(({ kind, micros }) => [kind, micros])).toEqual([["deposit", depositedMicros]]);
    }
    expect(await catalogue.db.selectFrom("spend").selectAll().execute()).toEqual([]);
  });
});

describe("a visitor of the demo", () => {
  const places: [string, Location, number][] = [
    ["Germany", { country: "DE", region: "BE" }, 4],
    ["the United States", { country: "US", region: "CA" }, 4],
    ["Washington", { country: "US", region: "WA" }, 4],
    ["France", { country: "FR", region: "IDF" }, 4],
    ["Britain", { country: "GB", region: "ENG" }, 4],
    ["Québec", { country: "CA", region: "QC" }, 4],
    ["an unknown place", { country: "ZZ", region: "" }, 3],
  ];
  const sites = ["ws_journal", "ws_courier", "ws_harbour", "ws_loan"].flatMap((key) => [key, previewOf(key)]);

  test.each(sites.flatMap((key) => places.map(([place, at, least]) => [key, place, at, least] as const)))(
    "of %s from %s meets a premium offer and enough others",
    (key, _, at, least) => {
      const compiled = createCatalogue();
      compiled.apply(rows);
      const website = compiled.website(key);
      if (!website) throw new Error(`no ${key}`);
      const exhausted = compiled.offer("offer_northstar_stocks_us")?.number;
      const hasBudget = (offer: number) => offer !== exhausted;
      const found = eligibleOffers({
        catalogue: compiled,
        website,
        location: at,
        rates: createLearntRates(),
        hasBudget,
      });
      if (found.outcome !== "offers") throw new Error(found.reason);
      const request = "0123456789abcdef";
      const facts = { allowed: false, surface: "overlay" as const, ...at, request };
      const { premium, standard } = chooseOffers({
        facts,
        catalogue: compiled,
        rates: createLearntRates(),
        website,
        hasBudget,
        ...unpaced,
      });
      expect(premium.map((offer) => offer.premium)).toEqual([true]);
      expect(standard.length).toBeGreaterThanOrEqual(least);
      const brands = [...premium, ...standard].map(({ brand }) => brand);
      expect(new Set(brands).size).toBe(brands.length);
      expect(found.offers.map(({ vertical }) => vertical)).not.toContain("gambling");
    },
  );
});

describe("seeding", () => {
  test("a second time changes nothing", async () => {
    const before = [await catalogue.version(), await catalogue.count("offer")];
    expect(await seedDemo(catalogue, args)).toBe(false);
    expect([await catalogue.version(), await catalogue.count("offer")]).toEqual(before);
  });

  test("never adds to what somebody has saved", async () => {
    const own = await newCatalogue(tmpdir());
    await createPublisher(own, { name: "Mine" }, { now: 1 });
    expect(await seedDemo(own, args)).toBe(false);
    expect([await own.count("publisher"), await own.count("website"), await own.count("offer")]).toEqual([
      1, 0, 0,
    ]);
    await own.close();
  });

  test("that fails half way leaves an empty catalogue", async () => {
    const own = await newCatalogue(tmpdir());
    await expect(seedDemo(own, { ...args, demoOrigin: "http://demo.example" })).rejects.toThrow(/origins/);
    expect([await own.count("publisher"), await own.count("website"), await own.count("advertiser")]).toEqual(
      [0, 0, 0],
    );
    await own.close();
  });
});
