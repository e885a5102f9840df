import { expect, test } from "vitest";
import type { CatalogueRows } from "./catalogue.ts";
import { compileCatalogue } from "./compiled-catalogue.ts";
import { sampleAllowlist, sampleOffer, sampleWebsite } from "./sample-catalogue.ts";

const compile = (rows: Partial<CatalogueRows>) =>
  compileCatalogue({ version: 7, websites: [], offers: [], ...rows });

test("what is asked by key, number or id is found, and nothing else", () => {
  const website = sampleWebsite({ id: 3, key: "ws_a" });
  const paused = sampleOffer({ id: "offer_paused", status: "paused" });
  const catalogue = compile({ websites: [website], offers: [paused] });
  expect(catalogue.version).toBe(7);
  expect(catalogue.website("ws_a")).toBe(website);
  expect(catalogue.websiteById(3)).toBe(website);
  expect(catalogue.offer("offer_paused")).toBe(paused);
  for (const key of ["ws_b", "WS_A", "", "__proto__", "constructor"]) {
    expect(catalogue.website(key)).toBeUndefined();
    expect(catalogue.offer(key)).toBeUndefined();
  }
  expect(catalogue.websiteById(1)).toBeUndefined();
});

const a = sampleWebsite({
  id: 1,
  key: "ws_a",
  origins: ["https://shop-a.example", "https://*.wild.example", "https://*.port.example:8443"],
});
const b = sampleWebsite({ id: 2, key: "ws_b", origins: ["https://shop-b.example", "http://localhost:8788"] });
const origins = compile({ websites: [a, b] });

test.each([
  ["https://shop-a.example", true, false],
  ["https://shop-b.example", false, true],
  ["http://localhost:8788", false, true],
  ["https://x.wild.example", true, false],
  ["https://x.y.z.wild.example", true, false],
  ["https://x.port.example:8443", true, false],
])("%s is an origin of a: %s, of b: %s", (origin, ofA, ofB) => {
  expect(origins.hasOrigin(a, origin)).toBe(ofA);
  expect(origins.hasOrigin(b, origin)).toBe(ofB);
  expect(origins.isRegisteredOrigin(origin)).toBe(true);
});

test.each([
  "https://evil.example",
  "https://shop-a.example.evil.com",
  "https://evilshop-a.example",
  "https://x.shop-a.example",
  "http://shop-a.example",
  "https://shop-a.example:8443",
  "https://wild.example",
  "https://xwild.example",
  "http://x.wild.example",
  "https://x.wild.example:8443",
  "https://x.port.example",
  "https://x.port.example:8444",
  "https://*.wild.example",
  "https://example",
  "http://localhost",
  "http://localhost:8789",
  "http://127.0.0.1:8788",
  "https://[::1]",
  "",
])("%s is nobody's origin", (origin) => {
  expect(origins.isRegisteredOrigin(origin)).toBe(false);
  expect(origins.hasOrigin(a, origin)).toBe(false);
  expect(origins.hasOrigin(b, origin)).toBe(false);
});

test("a website that is not in the catalogue has no origin and may show nothing", () => {
  const stranger = sampleWebsite({ id: 9, key: "ws_x" });
  expect(origins.hasOrigin(stranger, "https://shop-a.example")).toBe(false);
  expect(origins.permits(stranger, sampleOffer())).toBe(false);
});

const located = compile({
  offers: [
    sampleOffer({ id: "offer_world" }),
    sampleOffer({ id: "offer_world_and_de", geoCoverage: ["DE", "*"] }),
    sampleOffer({ id: "offer_de", geoCoverage: ["DE", "DE"] }),
    sampleOffer({ id: "offer_us", geoCoverage: ["US-NJ", "US"] }),
    sampleOffer({ id: "offer_nj", geoCoverage: ["US-NJ", "CA-QC"] }),
    sampleOffer({ id: "offer_paused", status: "paused" }),
  ],
});

test.each([
  ["DE", "", ["offer_de", "offer_world", "offer_world_and_de"]],
  ["DE", "BY", ["offer_de", "offer_world", "offer_world_and_de"]],
  ["US", "", ["offer_us", "offer_world", "offer_world_and_de"]],
  ["US", "NJ", ["offer_nj", "offer_us", "offer_world", "offer_world_and_de"]],
  ["US", "NY", ["offer_us", "offer_world", "offer_world_and_de"]],
  ["CA", "QC", ["offer_nj", "offer_world", "offer_world_and_de"]],
  ["CA", "", ["offer_world", "offer_world_and_de"]],
  ["ZZ", "", ["offer_world", "offer_world_and_de"]],
])("at %s %s each active offer that covers it is found once", (country, region, ids) => {
  const found = located.activeOffersAt({ country, region }).map(({ id }) => id);
  expect(found.toSorted()).toEqual(ids);
});

const offer = sampleOffer({ id: "offer_1", brand: "Acme", vertical: "books" });
const none = { brands: ["Other"], verticals: ["other"], offers: ["offer_2"] };

test.each([
  ["mode all permits", { mode: "all" }, true],
  ["an empty allowlist permits nothing", { mode: "allowlist" }, false],
  ["an allowed brand", { mode: "allowlist", allow: { brands: ["Acme"] } }, true],
  ["an allowed brand in another case", { mode: "allowlist", allow: { brands: [" aCME"] } }, true],
  ["an allowed vertical", { mode: "allowlist", allow: { verticals: ["books"] } }, true],
  ["an allowed offer", { mode: "allowlist", allow: { offers: ["offer_1"] } }, true],
  ["only others allowed", { mode: "allowlist", allow: none }, false],
  ["only others blocked", { mode: "all", block: none }, true],
  ["a blocked brand under mode all", { mode: "all", block: { brands: ["ACME"] } }, false],
  ["a blocked vertical under mode all", { mode: "all", block: { verticals: ["books"] } }, false],
  ["a blocked offer under mode all", { mode: "all", block: { offers: ["offer_1"] } }, false],
  [
    "allowed by brand, blocked by vertical",
    { mode: "allowlist", allow: { brands: ["Acme"] }, block: { verticals: ["books"] } },
    false,
  ],
  [
    "allowed and blocked by id",
    { mode: "allowlist", allow: { offers: ["offer_1"] }, block: { offers: ["offer_1"] } },
    false,
  ],
  ["allow sets mean nothing under mode all", { mode: "all", allow: none }, true],
] satisfies [string, Parameters<typeof sampleAllowlist>[0], boolean][])("%s", (_, given, permitted) => {
  const website = sampleWebsite({ allowlist: sampleAllowlist(given) });
  expect(compile({ websites: [website], offers: [offer] }).permits(website, offer)).toBe(permitted);
});

test.each(["Acme", "ACME", " acme "])("the website's own brand %s is never permitted", (ownBrand) => {
  const website = sampleWebsite({ ownBrand });
  const catalogue = compile({ websites: [website], offers: [offer] });
  expect(catalogue.permits(website, offer)).toBe(false);
  expect(catalogue.permits(website, sampleOffer({ brand: "Acme Books" }))).toBe(true);
});
