import type { PublisherId } from "@offers/contract/ids";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Offer, Website } from "./catalogue.ts";
import { createLearntRates } from "./click-rates.ts";
import { type Catalogue, createCatalogue } from "./compiled-catalogue.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite } from "./sample-catalogue.ts";

test("what is asked by key, number or id is found, and nothing else", () => {
  const website = sampleWebsite({ id: 3, key: "ws_a" });
  const paused = sampleOffer({ id: "offer_paused", status: "paused" });
  const catalogue = sampleCatalogue({ version: 7, websites: [website], offers: [paused] });
  expect(catalogue.version).toBe(7);
  expect(catalogue.website("ws_a")).toEqual(website);
  expect(catalogue.websiteById(3)).toBe(catalogue.website("ws_a"));
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
const origins = sampleCatalogue({ websites: [a, b] });

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
  "https://X.wild.example",
  "https://x.wild.example/",
  "https://user@x.wild.example",
  "https://x..wild.example",
  "https://SHOP-A.example",
  "https://shop-a.example/",
  "https://shop-a.example:443",
  "null",
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
  expect(located.rankedOffersAt({ ...stranger, id: 99 }, { country: "DE", region: "" }).all).toEqual([]);
});

/** The ids of what a website may show at a place, list after list. */
function offersAt(
  catalogue: Catalogue,
  website: Website,
  location: { country: string; region: string },
  which: "all" | "premium" = "all",
) {
  const { mayShow, ...lists } = catalogue.rankedOffersAt(website, location);
  return lists[which].flatMap(({ offers }) => offers.filter(mayShow).map(({ offer }) => offer.id));
}

const everywhere = sampleWebsite();
const located = sampleCatalogue({
  websites: [everywhere],
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
  expect(offersAt(located, everywhere, { country, region }).toSorted()).toEqual(ids);
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
  expect(sampleCatalogue({ websites: [website], offers: [offer] }).permits(website, offer)).toBe(permitted);
});

test.each(["Acme", "ACME", " acme "])("the website's own brand %s is never permitted", (ownBrand) => {
  const website = sampleWebsite({ ownBrand });
  const catalogue = sampleCatalogue({ websites: [website], offers: [offer] });
  expect(catalogue.permits(website, offer)).toBe(false);
  expect(catalogue.permits(website, sampleOffer({ brand: "Acme Books" }))).toBe(true);
});

const [one, other] = ["publisher_1", "publisher_2"] as PublisherId[];

test.each([
  ["all, where it names none", {}, [true, true]],
  ["those that it names alone", { onlyPublishers: [one] }, [true, false]],
  ["all but those that it names", { exceptPublishers: [one] }, [false, true]],
  ["one that there is no more, and nobody else", { onlyPublishers: ["publisher_gone"] }, [false, false]],
])("an offer is for %s, though their allowlists are one object", (_, over, expected) => {
  const websites = [one, other].map((publisherId, at) =>
    sampleWebsite({ id: at + 1, key: `ws_${at}`, ...(publisherId && { publisherId }) }),
  );
  const narrow = sampleAllowlist({ mode: "allowlist", allow: { verticals: ["books"] } });
  const named = sampleOffer(over as Partial<Offer>);
  for (const shown of [websites, websites.map((website) => ({ ...website, allowlist: narrow }))]) {
    const catalogue = sampleCatalogue({ websites: shown, offers: [named] });
    expect(shown.map((website) => catalogue.permits(website, named))).toEqual(expected);
    const found = shown.map((website) => offersAt(catalogue, website, berlin).length === 1);
    expect(found).toEqual(expected);
  }
});

test("an offer that is changed is for those that it names then", () => {
  const website = sampleWebsite();
  const open = sampleOffer();
  const catalogue = sampleCatalogue({ websites: [website], offers: [open] });
  expect(offersAt(catalogue, website, berlin)).toHaveLength(1);
  const closed = { ...open, exceptPublishers: [website.publisherId] };
  catalogue.apply({ version: 2, websites: [], offers: [closed] });
  expect(catalogue.permits(website, closed)).toBe(false);
  expect(offersAt(catalogue, website, berlin)).toEqual([]);
});

const berlin = { country: "DE", region: "BE" };

test("a website that changes is another object, found by what it is called now and by nothing else", () => {
  const catalogue = sampleCatalogue({
    websites: [
      sampleWebsite({ id: 1, key: "ws_1", origins: ["https://one.example", "https://both.example"] }),
      sampleWebsite({ id: 2, key: "ws_2", origins: ["https://both.example"] }),
    ],
  });
  const before = catalogue.website("ws_1");
  const changed = sampleWebsite({ id: 1, key: "ws_new", origins: ["https://new.example"] });
  catalogue.apply({ version: 2, websites: [changed], offers: [] });
  expect(catalogue.version).toBe(2);
  expect(catalogue.website("ws_1")).toBeUndefined();
  expect(catalogue.website("ws_new")).toEqual(changed);
  expect(catalogue.websiteById(1)).not.toBe(before);
  expect(before?.key).toBe("ws_1");
  const registered = ["one", "both", "new"].map((name) =>
    catalogue.isRegisteredOrigin(`https://${name}.example`),
  );
  expect(registered).toEqual([false, true, true]);
  expect(catalogue.hasOrigin(changed, "https://one.example")).toBe(false);
  expect(catalogue.hasOrigin(changed, "https://new.example")).toBe(true);
});

test("a publisher's websites come in the order of their ids, whatever the order in which they are told", () => {
  const named = (id: number, publisher: string) =>
    sampleWebsite({ id, key: `ws_${id}`, publisherId: `publisher_${publisher}` as Website["publisherId"] });
  const catalogue = sampleCatalogue({ websites: [named(3, "a"), named(1, "a"), named(2, "b")] });
  catalogue.apply({ version: 2, websites: [named(4, "a"), named(3, "a"), named(2, "a")], offers: [] });
  const idsOf = (publisher: string) =>
    catalogue.websitesOf(`publisher_${publisher}` as Website["publisherId"]).map(({ id }) => id);
  expect([idsOf("a"), idsOf("b"), idsOf("c")]).toEqual([[1, 2, 3, 4], [], []]);
});

test("an offer that moves, pauses and comes back stands where it belongs at each moment", () => {
  const website = sampleWebsite();
  const catalogue = sampleCatalogue({ websites: [website], offers: [sampleOffer({ id: "offer_other" })] });
  const seen = (over: Partial<Offer>, location: { country: string; region: string }) => {
    catalogue.apply({ version: 2, websites: [], offers: [sampleOffer({ ...over, id: "offer_1" })] });
    return offersAt(catalogue, website, location).includes("offer_1" as Offer["id"]);
  };
  expect(seen({ geoCoverage: ["DE"] }, berlin)).toBe(true);
  expect(seen({ geoCoverage: ["FR", "DE-BY"] }, berlin)).toBe(false);
  expect(seen({ geoCoverage: ["FR", "DE-BE"] }, berlin)).toBe(true);
  expect(seen({ geoCoverage: ["*"], status: "paused" }, berlin)).toBe(false);
  expect(seen({ geoCoverage: ["*"] }, berlin)).toBe(true);
  expect(seen({ geoCoverage: ["*"] }, { country: "ZZ", region: "" })).toBe(true);
  expect(offersAt(catalogue, website, berlin).filter((id) => id === "offer_1")).toHaveLength(1);
});

test("an offer that moves to another vertical has its former siblings sorted anew, wherever they are shown", () => {
  const stays = sampleOffer({ id: "offer_stays", number: 2, vertical: "games", geoCoverage: ["FR"] });
  const moves = sampleOffer({ id: "offer_moves", number: 1, vertical: "games", geoCoverage: ["DE"] });
  const catalogue = sampleCatalogue({ websites: [], offers: [stays, moves] });
  const rates = createLearntRates();
  const counted = { country: "DE", placement: "standard" as const, impressions: 3000, clicks: 300 };
  rates.apply({ version: 1, counts: [{ offer: 1, vertical: "games", ...counted }] });
  const scores = () =>
    catalogue
      .activeOffersAt({ country: "FR", region: "" })
      .flatMap((list) =>
        catalogue.promisingOrder(list, rates, "FR", "both").flatMap(({ scores }) => [...scores]),
      );
  const before = scores();
  const moved = [{ ...moves, vertical: "loans" }];
  catalogue.apply({ version: 2, websites: [], offers: moved });
  rates.regroup(moved);
  expect(scores()[0]).toBeLessThan(before[0] ?? 0);
});

const someRow = fc.record({
  number: fc.integer({ min: 1, max: 12 }),
  geoCoverage: fc.subarray(["*", "DE", "DE-BE", "FR"], { minLength: 1 }),
  payoutMicros: fc.integer({ min: 0, max: 3 }),
  premium: fc.boolean(),
  status: fc.constantFrom("active" as const, "active" as const, "paused" as const),
  vertical: fc.constantFrom("books", "games"),
});
const someStep = fc.oneof(
  fc.record({ offers: fc.array(someRow, { minLength: 1, maxLength: 4 }), beginsAnew: fc.boolean() }),
  fc.record({ allowlist: fc.constantFrom("all", "books", "no games", "nothing") }),
);
const allowlistOf = {
  all: sampleAllowlist({ mode: "all" }),
  books: sampleAllowlist({ mode: "allowlist", allow: { verticals: ["books"] } }),
  "no games": sampleAllowlist({ mode: "all", block: { verticals: ["games"] } }),
  nothing: sampleAllowlist({ mode: "allowlist" }),
};

test("after any changes the lists are those of a catalogue that was read at once", () => {
  fc.assert(
    fc.property(fc.array(someStep, { maxLength: 8 }), (steps) => {
      const live = createCatalogue();
      const offers = new Map<number, Offer>();
      let website = sampleWebsite();
      live.apply({ version: 0, websites: [website], offers: [] });
      for (const [version, step] of steps.entries()) {
        if ("allowlist" in step) {
          website = sampleWebsite({ allowlist: allowlistOf[step.allowlist as keyof typeof allowlistOf] });
          live.apply({ version, websites: [website], offers: [] });
        } else {
          const rows = step.offers.map((row) => sampleOffer({ ...row, id: `offer_${row.number}` }));
          const { beginsAnew } = step;
          if (beginsAnew) offers.clear();
          for (const row of rows) offers.set(row.number, row);
          live.apply({ version, beginsAnew, websites: beginsAnew ? [website] : [], offers: rows });
        }
        const fresh = sampleCatalogue({ version, websites: [website], offers: [...offers.values()] });
        for (const place of [berlin, { country: "FR", region: "" }, { country: "ZZ", region: "" }]) {
          for (const which of ["all", "premium"] as const) {
            expect(offersAt(live, website, place, which)).toEqual(offersAt(fresh, website, place, which));
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("equal allowlists of two websites are one object, and stay so for the other when one changes", () => {
  const list = () => sampleAllowlist({ mode: "allowlist", allow: { verticals: ["books"] } });
  const websites = [1, 2, 3].map((id) => sampleWebsite({ id, key: `ws_${id}`, allowlist: list() }));
  const catalogue = sampleCatalogue({ websites });
  expect(catalogue.websiteById(1)?.allowlist).toBe(catalogue.websiteById(2)?.allowlist);
  catalogue.apply({ version: 2, websites: [sampleWebsite({ id: 1, key: "ws_1" })], offers: [] });
  catalogue.apply({
    version: 3,
    websites: [sampleWebsite({ id: 4, key: "ws_4", allowlist: list() })],
    offers: [],
  });
  expect(catalogue.websiteById(4)?.allowlist).toBe(catalogue.websiteById(2)?.allowlist);
});
