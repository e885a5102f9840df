import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogueRows } from "../core/catalogue.ts";
import { createLearntRates } from "../core/click-rates.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import { hashIntegrationSecret } from "../core/integration-secret.ts";
import { suppressionOf } from "../core/suppression.ts";
import { eligibleOffers } from "../core/targeting.ts";
import { newCatalogue } from "../store/catalogue/catalogue-for-tests.ts";
import { seedDemo } from "./seed.ts";
import { demoSecrets } from "./sites.ts";

const args = {
  now: Date.parse("2026-11-20T10:00:00Z"),
  demoOrigin: "http://localhost:8788",
  production: false,
};
let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
let rows: CatalogueRows;
beforeAll(async () => {
  catalogue = await newCatalogue(tmpdir());
  await seedDemo(catalogue, args);
  rows = await catalogue.changes();
});
afterAll(() => catalogue.close());

describe("the demo's integration secrets", () => {
  test("are the ones that its source shows, kept as hashes", async () => {
    const { secrets } = await catalogue.changes();
    const idOf = (key: string) => rows.websites.find((website) => website.key === key)?.id;
    expect(secrets.map(({ websiteId, hash }) => [websiteId, hash]).sort()).toEqual(
      demoSecrets
        .map(({ website, secret }) => [idOf(website), hashIntegrationSecret(secret).toString("base64url")])
        .sort(),
    );
    for (const { secret } of demoSecrets) {
      expect(secret).toMatch(/^its_[0-9A-Za-z]{32}$/);
      expect(JSON.stringify(secrets)).not.toContain(secret);
    }
  });

  test("are not seeded in production", async () => {
    const own = await newCatalogue(tmpdir());
    expect(await seedDemo(own, { ...args, production: true })).toBe(true);
    expect(await own.count("website")).toBe(rows.websites.length);
    expect((await own.changes()).secrets).toEqual([]);
    await own.close();
  });

  test("of the loan website leave a protected visitor something to see, and nothing of money to borrow or to lose", () => {
    const compiled = createCatalogue();
    compiled.apply(rows);
    const website = compiled.website("ws_loan");
    if (!website) throw new Error("no ws_loan");
    const found = (reason: string | null) => {
      const suppression = suppressionOf({ reason, verticals: [] }) ?? undefined;
      const location = { country: "ZZ", region: "" };
      const targeting = eligibleOffers({
        catalogue: compiled,
        website,
        location,
        rates: createLearntRates(),
        hasBudget: () => true,
        suppression,
      });
      return targeting.outcome === "offers"
        ? new Set(targeting.offers.map(({ vertical }) => vertical))
        : new Set();
    };
    expect(found("underage").size).toBeGreaterThan(0);
    for (const vertical of ["gambling", "trading", "loans"])
      expect(found("underage")).not.toContain(vertical);
    const inGermany = rows.offers
      .filter(({ geoCoverage }) => geoCoverage.some((place) => ["*", "DE", "DE-BE"].includes(place)))
      .map(({ vertical }) => vertical);
    expect(inGermany).toEqual(expect.arrayContaining(["trading", "loans"]));
  });
});
