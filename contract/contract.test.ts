import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { offerInput, supportContact, websiteInput } from "./catalogue.ts";
import { decisionQuery } from "./decision.ts";
import { sessionState, triggerBody } from "./decline.ts";
import { dashAndOauthLimits, endpoints, rateLimits, refusalLimits } from "./endpoints.ts";
import { clickBody, impressionBody, snippetPingBody } from "./events.ts";
import { clickToken, offerId, requestId, websiteKey } from "./ids.ts";
import { countryCode, geoCoverage, geoEntry, regionCode } from "./location.ts";
import { offersQuery } from "./offers.ts";
import { errorCodes, problem } from "./problem.ts";

type Case = [name: string, schema: { safeParse(value: unknown): { success: boolean } }, value: unknown];

const seen = { requestId: "req_abc", offerId: "offer_1" };
const offer = {
  advertiserId: "advertiser_1",
  brand: "Lumen",
  vertical: "mobile",
  title: "Ten gigabytes",
  landingUrl: "https://lumen.example/",
  geoCoverage: ["DE"],
  payoutModel: "CPC",
  payoutMicros: 250_000,
};

const website = { publisherId: "publisher_1", name: "Journal", origins: ["https://shop-a.example"] };
const withSettings = (settings: object) => ({ ...website, settings });

const session = {
  sessionId: "dcl_abc",
  expiresAt: "2026-11-20T12:15:00.000Z",
  pollAfterMs: 2000,
  language: "",
};

const accepted: Case[] = [
  ["a website key", websiteKey, "ws_a-B_9"],
  ["a decision with nothing optional", decisionQuery, { pub: "pub_a", website: "ws_a" }],
  ["a decision with unknown members", decisionQuery, { pub: "pub_a", website: "ws_a", utm_source: "x" }],
  [
    "a dev-country that only a development website checks",
    decisionQuery,
    { pub: "pub_a", website: "ws_a", "dev-country": "no such" },
  ],
  [
    "twenty standard offers",
    offersQuery,
    { website: "ws_a", requestId: "req_a", country: "DE", limit: "20" },
  ],
  ["a bare impression", impressionBody, seen],
  [
    "a full impression",
    impressionBody,
    {
      ...seen,
      placement: "premium",
      position: 1,
      surface: "overlay",
      clientHints: { viewportWidth: 390, visibleRatio: 0.5, visibleMs: 1000 },
    },
  ],
  ["a click with advisory location", clickBody, { ...seen, country: "de", region: "DE-BE" }],
  ["a ping with a page", snippetPingBody, { websiteKey: "ws_a", url: "https://shop-a.example/a/b" }],
  ["a bare trigger", triggerBody, { sessionId: "dcl_abc" }],
  [
    "a full trigger",
    triggerBody,
    { sessionId: "dcl_abc", reason: "self_excluded", suppressVerticals: ["Loans"], secret: "its_x" },
  ],
  ["a session that waits", sessionState, { ...session, status: "pending" }],
  ["anywhere", geoCoverage, ["*"]],
  ["a disclosure of 600 characters", offerInput, { ...offer, disclosure: "r".repeat(600) }],
  [
    "a CPM payout in whole micro-units an impression",
    offerInput,
    { ...offer, payoutModel: "CPM", payoutMicros: 2_500_000 },
  ],
  [
    "a conversion rate of its own",
    offerInput,
    { ...offer, payoutModel: "CPL", conversionRateBasisPoints: 1 },
  ],
  ["a picture on plain http", offerInput, { ...offer, imageUrl: "http://lumen.example/a picture.png" }],
  ["a page of one's own on plain http", websiteInput, withSettings({ fallbackUrl: "http://shop-a.example" })],
  ["a website with nothing optional", websiteInput, website],
];

const triggered = { sessionId: "dcl_abc" };

const refused: Case[] = [
  ["a session id of another kind", triggerBody, { sessionId: "req_abc" }],
  ["an empty reason", triggerBody, { ...triggered, reason: " " }],
  ["a reason of 65 characters", triggerBody, { ...triggered, reason: "x".repeat(65) }],
  ["21 suppressed verticals", triggerBody, { ...triggered, suppressVerticals: Array(21).fill("loans") }],
  ["a ready session without its visit", sessionState, { ...session, status: "ready" }],
  ["a session in no known state", sessionState, { ...session, status: "open" }],
  ["an identifier with another prefix", websiteKey, "pub_a"],
  ["an identifier with a space", offerId, "offer_a b"],
  ["an identifier of 65 characters", websiteKey, `ws_${"a".repeat(65)}`],
  ["a requestId of 10 KB", requestId, `req_${"a".repeat(10_240)}`],
  ["a token of 8 KB", clickToken, "a".repeat(8192)],
  ["a three-letter country", countryCode, "usa"],
  ["a country with a mark", countryCode, "1!"],
  ["a region of 300 characters", regionCode, "N".repeat(300)],
  ["a mode that does not exist", decisionQuery, { pub: "pub_a", website: "ws_a", mode: "x" }],
  ["21 standard offers", offersQuery, { website: "ws_a", requestId: "req_a", country: "DE", limit: "21" }],
  ["no standard offer", offersQuery, { website: "ws_a", requestId: "req_a", country: "DE", limit: "0" }],
  [
    "a fraction of an offer",
    offersQuery,
    { website: "ws_a", requestId: "req_a", country: "DE", limit: "1.5" },
  ],
  ["a position of 0", impressionBody, { ...seen, position: 0 }],
  ["a placement that does not exist", impressionBody, { ...seen, placement: "sidebar" }],
  ["a visible ratio above 1", impressionBody, { ...seen, clientHints: { visibleRatio: 1.01 } }],
  ["a control character", impressionBody, { ...seen, clientHints: { language: "de\u0000" } }],
  ["a lone surrogate", impressionBody, { ...seen, clientHints: { timezone: "Europe/\ud800" } }],
  ["a ping with a query", snippetPingBody, { websiteKey: "ws_a", url: "https://shop-a.example/?q=1" }],
  [
    "a ping with a page of 257 characters",
    snippetPingBody,
    { websiteKey: "ws_a", url: `https://shop-a.example/${"a".repeat(234)}` },
  ],
  ["no coverage", geoCoverage, []],
  ["a country as a sub-division", geoEntry, "US-NJXX"],
  ["a disclosure of 601 characters", offerInput, { ...offer, disclosure: "r".repeat(601) }],
  ["a description of 301 characters", offerInput, { ...offer, description: "r".repeat(301) }],
  ["a float payout", offerInput, { ...offer, payoutMicros: 0.5 }],
  ["a payout beyond exact integers", offerInput, { ...offer, payoutMicros: 2 ** 53 }],
  ["a negative cap", offerInput, { ...offer, dailyClickCap: -1 }],
  [
    "a CPM payout with a fraction an impression",
    offerInput,
    { ...offer, payoutModel: "CPM", payoutMicros: 1500 },
  ],
  ...(["CPC", "CPM"] as const).map((payoutModel): Case => {
    const rated = { ...offer, payoutModel, payoutMicros: 1000, conversionRateBasisPoints: 200 };
    return [`a conversion rate of a ${payoutModel} offer`, offerInput, rated];
  }),
  [
    "a conversion rate of nothing",
    offerInput,
    { ...offer, payoutModel: "CPA", conversionRateBasisPoints: 0 },
  ],
  [
    "more conversions than clicks",
    offerInput,
    { ...offer, payoutModel: "CPA", conversionRateBasisPoints: 10_001 },
  ],
  ["a click cap where no click is billed", offerInput, { ...offer, payoutModel: "CPA", totalClickCap: 10 }],
  ["a day's plan without a day's cap", offerInput, { ...offer, pacing: "even", totalClickCap: 10 }],
  ["an end before the start", offerInput, { ...offer, startsAt: "2026-12-02", endsAt: "2026-12-01" }],
  ["an end at the start", offerInput, { ...offer, startsAt: "2026-12-02", endsAt: "2026-12-02T00:00" }],
  ["a day that no month has", offerInput, { ...offer, startsAt: "2026-02-30" }],
  ["a time that no clock shows", offerInput, { ...offer, endsAt: "2026-12-01T25:00" }],
  ["an hour after midnight", offerInput, { ...offer, hours: ["9-25"] }],
  ["hours that end before they begin", offerInput, { ...offer, hours: ["17-9"] }],
  ["a day of no week", offerInput, { ...offer, days: ["someday"] }],
  ["a time zone that there is not", offerInput, { ...offer, timeZone: "Europe/Atlantis" }],
  ["a time zone that knows no summer", offerInput, { ...offer, timeZone: "+01:00" }],
  [
    "publishers that alone may show it beside some that may not",
    offerInput,
    { ...offer, onlyPublishers: ["publisher_a"], exceptPublishers: ["publisher_b"] },
  ],
  ["a publisher by its name", offerInput, { ...offer, onlyPublishers: ["Northwind"] }],
  ["a language that is none", offerInput, { ...offer, languages: ["german"] }],
  ["a device that is none", offerInput, { ...offer, devices: ["toaster"] }],
  ["a support address that runs script", supportContact, { url: "javascript:alert(1)" }],
  ...[
    "https://lumen.example/a\0b",
    "https://lumen.example/a\u0001b",
    "https://lumen.example/a\u2028b",
    "https://ada:secret@lumen.example/",
    "https://ada@lumen.example/",
    "data:image/svg+xml,<svg/>",
    `https://lumen.example/${"a".repeat(2048)}`,
  ].flatMap((address): Case[] => [
    [`${JSON.stringify(address).slice(0, 40)} as a picture`, offerInput, { ...offer, imageUrl: address }],
    [`${JSON.stringify(address).slice(0, 40)} as a logo`, websiteInput, withSettings({ logo: address })],
    [
      `${JSON.stringify(address).slice(0, 40)} as a page of one's own`,
      websiteInput,
      withSettings({ fallbackUrl: address }),
    ],
    [`${JSON.stringify(address).slice(0, 40)} as a support address`, supportContact, { url: address }],
  ]),
  ["a logo on plain http", websiteInput, withSettings({ logo: "http://shop-a.example/logo.svg" })],
  ["a website without an origin", websiteInput, { publisherId: "publisher_1", name: "Journal", origins: [] }],
];

describe("the schemas", () => {
  it.each(accepted)("accept %s", (_name, schema, value) => {
    expect(schema.safeParse(value)).toMatchObject({ success: true });
  });

  it.each(refused)("refuse %s", (_name, schema, value) => {
    expect(schema.safeParse(value)).toMatchObject({ success: false });
  });

  it.each([
    ["de", countryCode, "DE"],
    ["us-nj", regionCode, "US-NJ"],
    ["nj", regionCode, "NJ"],
    ["us-nj", geoEntry, "US-NJ"],
  ])("bring %s into its one spelling", (given, schema, wanted) => {
    expect(schema.parse(given)).toBe(wanted);
  });
});

describe("the closed lists", () => {
  it("name a limit for every limited endpoint and use every limit", () => {
    const ofEndpoints = endpoints.map((endpoint) => endpoint.limit).filter((limit) => limit !== null);
    const used = new Set<string>([...ofEndpoints, ...refusalLimits, ...dashAndOauthLimits]);
    expect([...used].sort()).toEqual(Object.keys(rateLimits).sort());
  });

  it("give every error code a 4xx or 5xx status that a problem may carry", () => {
    for (const [code, { status, title }] of Object.entries(errorCodes)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(
        problem.safeParse({ type: "about:blank", title, status, detail: "d", instance: "i", code }).success,
      ).toBe(true);
    }
  });

  it("keep zod out of the files that the browser bundle reads values from", () => {
    const folder = new URL("./", import.meta.url);
    const plain = readdirSync(folder).filter((file) => ["words.ts", "endpoints.ts"].includes(file));
    expect(plain).toHaveLength(2);
    // An import of types leaves nothing behind.
    const imported = /^(?:import(?! type )|export\b.* from\b)/m;
    for (const file of plain) expect(readFileSync(new URL(file, folder), "utf8")).not.toMatch(imported);
  });
});

describe("the decisions page", () => {
  const root = new URL("../", import.meta.url);
  const page = readFileSync(new URL("contract/decisions.md", root), "utf8");
  const names = [...page.matchAll(/<a id="([a-z0-9-]+)"><\/a>/g)].map(([, name]) => name);

  it("gives every decision a name of its own", () => {
    const decisions = page.split("\n").filter((line) => line.startsWith("- "));
    expect(names).toHaveLength(decisions.length);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has every decision that a comment cites", () => {
    const sources = ["server", "embed", "contract"].flatMap((room) =>
      readdirSync(new URL(`${room}/`, root), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file) && !/node_modules|dist/.test(file))
        .map((file) => readFileSync(new URL(`${room}/${file}`, root), "utf8")),
    );
    const cited = sources.flatMap((text) =>
      [...text.matchAll(/decisions\.md#([a-z0-9-]+)/g)].map(([, name]) => name),
    );
    expect(cited.length).toBeGreaterThan(4);
    expect(cited.filter((name) => !names.includes(name))).toEqual([]);
  });
});
