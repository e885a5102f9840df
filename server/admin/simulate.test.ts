import { advertiserInput, offerInput } from "@offers/contract/catalogue";
import { deviceClasses } from "@offers/contract/words";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRequestId } from "../core/request-id.ts";
import { simulateVisit } from "../core/simulation.ts";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { byTests } from "../store/catalogue/catalogue-for-tests.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import { openCatalogue } from "../store/open-store.ts";
import type { Database } from "../store/sqlite/database.ts";
import { rules } from "../testing/fixture.ts";
import { seededRandom } from "../testing/odd-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { newOperator } from "./operator-for-tests.ts";
import { standingAt } from "./standing.ts";

const random = seededRandom(20_261_122);
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const places = ["DE", "US-NJ", "US-TX", "FR", "FR-IDF", "GB-ENG", "JP", "BR-SP", "AU", "ZA"] as const;
const partsOf = (place: string) => ({ country: place.slice(0, 2), region: place.slice(3) });
const geo = createFixedGeo(places.map((place, at) => ({ range: `198.18.${at}.0/24`, ...partsOf(place) })));
const websites = ["ws_a", "ws_b", "ws_dev", "ws_wild", "ws_empty"] as const;

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const visitors = [
  { language: "de-AT", device: "desktop", headers: { "Accept-Language": "de-AT,fr", "User-Agent": windows } },
  { language: "fr", device: "phone", headers: { "Accept-Language": "fr", "User-Agent": iphone } },
  { language: "en", device: "desktop", headers: { "Accept-Language": "en,de", "User-Agent": windows } },
] as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ geo });
  await service.change(async (catalogue) => {
    const now = service.context.clock();
    const owners = await Promise.all(
      [1_000_000_000, 0].map((balanceMicros, at) =>
        createAdvertiser(catalogue, advertiserInput.parse({ name: `Owner ${at}`, balanceMicros }), { now }),
      ),
    );
    for (let number = 0; number < 40; number += 1) {
      const offer = {
        advertiserId: oneOf(owners),
        brand: `Brand ${Math.floor(random() * 25)}`,
        vertical: oneOf(["games", "travel", "energy"]),
        title: `Title ${number}`,
        geoCoverage: [random() < 0.2 ? "*" : oneOf(places)],
        payoutModel: oneOf(["CPC", "CPM", "CPL"]),
        payoutMicros: 1000 * (1 + Math.floor(random() * 1000)),
        premium: random() < 0.2,
        landingUrl: "https://brand.example/?c={click_id}",
        ...oneOf([{}, {}, { languages: [oneOf(["de", "fr"])] }, { devices: [oneOf(deviceClasses)] }]),
        ...oneOf([{}, {}, { endsAt: "2020-01-01" }, { hours: ["0-13"] }, { hours: ["13-24"] }]),
      };
      // The plan of an even one began five minutes ago: half of the requests are handed it.
      const isEven = offer.payoutModel === "CPC" && random() < 0.5;
      const paced = isEven ? { ...offer, pacing: "even", dailyClickCap: 1000 } : offer;
      await createOffer(catalogue, offerInput.parse(paced), { now: now - 300_000, rules });
    }
    for (const key of websites) {
      const entries = places.filter(() => random() < 0.4);
      const geoRule = {
        mode: oneOf(["allowlist", "blocklist"]),
        entries,
        unknownLocation: oneOf(["allow", "block"]),
      };
      await updateWebsite(catalogue, key, { geoRule }, rules);
    }
  });
});
afterAll(() => service.close());

test("200 random visits of each of five websites are answered as they are simulated", async () => {
  const saved = await openCatalogue({ file: service.databaseFile, durability: "relaxed", ...byTests });
  const standing = await standingAt(service.context.clock(), saved);
  await saved.close();
  const met = { allowed: 0, blocked: 0, offers: 0, reasons: new Set<string>() };
  for (const key of websites) {
    const website = standing.catalogue.website(key);
    if (website === undefined) throw new Error(`no website ${key}`);
    for (let visit = 0; visit < 200; visit += 1) {
      const at = Math.floor(random() * (places.length + 1));
      const place = places[at] ?? "ZZ";
      const surface = oneOf(["overlay", "section"] as const);
      const visitor = oneOf(visitors);
      const { decision, answer, offers } = await service.visit({
        headers: visitor.headers,
        website: key,
        from: `198.18.${at}.7`,
        query: surface === "section" ? "&mode=section" : "",
      });
      const facts = openRequestId(service.context.tokenKeys, decision.requestId);
      const request = facts?.request ?? "";
      const { verdict, choice } = simulateVisit(
        { website, location: partsOf(place), surface, request, visitor },
        standing,
      );
      expect(verdict.allowed).toBe(decision.allowed);
      if (!verdict.allowed) expect(verdict.reason).toBe(decision.blocked?.reason);
      expect(offers.map(({ id }) => id)).toEqual([...choice.premium, ...choice.standard].map(({ id }) => id));
      expect(answer.emptyReason ?? null).toBe(choice.emptyReason);
      met[verdict.allowed ? "allowed" : "blocked"] += 1;
      met.offers += offers.length;
      if (choice.emptyReason !== null) met.reasons.add(choice.emptyReason);
    }
  }
  expect(Math.min(met.allowed, met.blocked)).toBeGreaterThan(100);
  expect(met.offers).toBeGreaterThan(500);
  expect(met.reasons.size).toBeGreaterThan(1);
});

/** How many rows each table has. */
const rowsOfTables = ({ sqlite }: Database) => {
  const tables = sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck();
  return tables
    .all()
    .map((name) => [name, sqlite.prepare(`select count(*) from "${name}"`).pluck().get()] as const);
};

const operator = newOperator();
afterAll(() => operator.leave());

test("the command tells verdict and offers, and records nothing", async () => {
  const { publisherId } = await operator.done("publisher create --name P");
  const { websiteKey } = await operator.done(
    "website create --name W --origin https://w.example --geo-mode blocklist --geo-entries DE --publisher",
    publisherId,
  );
  const simulate = (...words: string[]) => operator.done("simulate --website", websiteKey, ...words);
  const place = { country: "DE", region: "", surface: "overlay" };
  expect(await simulate("--country", "de")).toEqual({
    websiteKey,
    ...place,
    allowed: false,
    reason: "country_blocked",
    emptyReason: "allowlist_empty",
    offers: [],
  });
  await operator.done("allowlist set --mode all --website", websiteKey);
  const { advertiserId } = await operator.done("advertiser create --name A --balance-micros 1000000");
  const words = "--brand B --vertical travel --title T --geo * --payout-model CPC --payout-micros 1000";
  const { offerId } = await operator.done(
    `offer create ${words} --landing-url https://b.example/?c={click_id} --advertiser`,
    advertiserId,
  );
  const before = operator.beside(rowsOfTables);
  const offer = { placement: "premium", position: 1, offerId, brand: "B", title: "T" };
  const price = { payoutModel: "CPC", payoutMicros: 1000, currency: "EUR" };
  expect(await simulate("--country", "DE")).toMatchObject({
    emptyReason: null,
    offers: [{ ...offer, ...price }],
  });
  expect(await simulate("--country", "FR")).toMatchObject({ allowed: true, emptyReason: "visitor_allowed" });
  expect(await simulate("--country", "FR", "--surface", "section")).toMatchObject({
    allowed: true,
    emptyReason: null,
    offers: [{ offerId }],
  });
  expect(await simulate("--country", "ZZ")).toMatchObject({ allowed: true, country: "ZZ" });
  expect(operator.beside(rowsOfTables)).toEqual(before);

  const { out } = await operator.run(["simulate", "--website", websiteKey, "--country", "DE"]);
  expect(out).toContain("country_blocked");
  expect(out).toMatch(new RegExp(`premium 1 +${offerId} +CPC +0\\.001 +EUR +B: T`));
});

test.each([
  [["--country", "UK"], "write GB"],
  [["--country", "XX"], "XX is no ISO 3166-1 country"],
  [["--country", "US", "--region", "ZZ"], "US-ZZ is no ISO 3166-2 region of US"],
  [["--country", "DE", "--limit", "21"], "at most 20"],
])("%j is refused", async (words, message) => {
  const { code, err } = await operator.run(["simulate", "--website", "ws_any", ...words]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test("a website that is none is named", async () => {
  const { code, err } = await operator.run("simulate --website ws_none --country DE".split(" "));
  expect(code).toBe(2);
  expect(err).toContain("ws_none");
});
