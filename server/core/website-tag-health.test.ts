import { websiteSettings } from "@offers/contract/catalogue";
import { expect, test } from "vitest";
import { type KnownTag, websiteTagHealth } from "./website-tag-health.ts";

const now = Date.UTC(2026, 10, 20, 12);
const page = "https://a.example/news";
const known: KnownTag = {
  now,
  currentScript: "1.2.0",
  website: {
    ...{ websiteKey: "ws_a", publicKey: "pub_a", origins: ["https://a.example"], createdAt: now - 5000 },
    ...{ paused: false, development: false, settings: websiteSettings.parse({}) },
    geoRule: { mode: "blocklist", entries: ["FR"], unknownLocation: "allow" },
  },
  offerFacts: { offers: { active: 1, permitted: 1 }, offersReachSomebody: true, placesWithoutOffer: [] },
  calls: { lastPing: null, othersAt: null, loads: [], refused: [], elsewhere: [] },
  check: undefined,
};
const pingAt = (at: number) => ({ ...known.calls, lastPing: { at, page, scriptVersion: "1.2.0" } });
const othersAt = (at: number) => ({ ...pingAt(now - 2), othersAt: at });
const checkAt = (at: number) => ({
  at,
  url: page,
  findings: [{ code: "tag_missing", isWhole: true } as const],
});
const codes = (change: Partial<KnownTag>) =>
  websiteTagHealth({ ...known, ...change }).causes.map(({ code }) => code);

test.each([
  ["of a page that nobody loaded is told", known.calls, checkAt(now), true],
  ["after the last page is told", pingAt(now - 1), checkAt(now), true],
  ["of the moment of the last page is not told", pingAt(now), checkAt(now), false],
  ["before the last page is not told", pingAt(now), checkAt(now - 1), false],
  ["before a page that is not told apart is not told", othersAt(now + 1), checkAt(now), false],
  ["after a page that is not told apart is told", othersAt(now - 1), checkAt(now), true],
  ["that nobody made is not told", pingAt(now), undefined, false],
])("a check %s", (_, calls, check, isTold) => {
  expect(codes({ calls, check }).includes("tag_missing")).toBe(isTold);
});

test("a website waits since it was made", () => {
  expect(codes({})).not.toContain("no_call");
  expect(codes({ website: { ...known.website, createdAt: now - 120_000 } })).toContain("no_call");
});
