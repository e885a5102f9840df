import { afterEach, describe, expect, test, vi } from "vitest";
import { hostAttribute } from "./overlay/host-attribute.ts";
import { placeAttribute } from "./section/reserve-place.ts";
import { eventSender } from "./wire/send-event.ts";
import { decisionUrl, offersUrl, sessionsUrl, sessionUrl } from "./wire/service-urls.ts";

/**
 * Shapes that content blockers commonly go by, in their notation: `*` is anything, `^` a separator, `|` an
 * end of the address, `||` the start of a host. Written for this test; what a real list blocks may differ.
 */
const blockedShapes = [
  "/ad.js",
  "/ads.js|",
  "/ads/*",
  "/adserver^",
  "/advert",
  "_ads_",
  "-ad-unit",
  "/banner/*",
  "/banners.js",
  "/sponsor",
  "/affiliate-",
  "/affiliate_",
  "/popup.js",
  "/popunder",
  "/promo/*",
  "/beacon.js",
  "/beacon?",
  "/pixel.gif",
  "/pixel?",
  "/track.js",
  "/tracker^",
  "/tracking/*",
  "/collect?",
  "/analytics.js",
  "/telemetry^",
  "/metrics?",
  "/log?event=",
  "/event?type=",
  "/events/impression?",
  "/events/click?",
  "/api/v1/impressions|",
  "/impression.php",
  "/impressions?",
  "/click.php?",
  "/r?e=",
  "||ads.",
  "||affiliate.",
] as const;

function matches(shape: string, url: string): boolean {
  const source = shape
    .replace(/[.+?${}()[\]\\/]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("^", "(?:[^\\w.%-]|$)")
    .replace(/^\|\|/, "^https?:\\/\\/(?:[^/?#]+\\.)?")
    .replace(/\|$/, "$");
  return new RegExp(source, "i").test(url);
}

const base = "https://offers.example/";
const tag = {
  base,
  pub: "pub_northwind",
  website: "ws_journal",
  mode: "overlay",
  simulated: { country: "US", region: "NJ" },
  options: {},
};
const visit = { requestId: "req_AbC-_123", country: "US", region: "NJ", language: "" };

vi.stubGlobal("document", { documentElement: { lang: "en" } });

afterEach(() => {
  vi.unstubAllGlobals();
});

function eventUrls(): string[] {
  const fetched = vi.fn(async (_url: string) => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
  const send = eventSender(base);
  for (const event of ["impression", "click", "dismiss", "snippet-ping"] as const) send(event, {});
  return fetched.mock.calls.map(([url]) => url);
}

describe("no request of the embed looks like what a content blocker stops", () => {
  const urls = [
    `${base}embed.js`,
    `${base}c/DOeCz62M.js`,
    decisionUrl(tag),
    decisionUrl({ ...tag, mode: "section" }),
    offersUrl(tag, visit),
    `${offersUrl(tag, visit)}&limit=2`,
    sessionsUrl(tag),
    sessionUrl(tag, "dcl_AbC-_123"),
    ...eventUrls(),
    `${base}v1/r?t=AbC-_123`,
  ];

  test("and every kind of request is looked at", () => {
    expect(urls).toHaveLength(13);
  });

  test.each(urls)("%s", (url) => {
    expect(blockedShapes.filter((shape) => matches(shape, url))).toEqual([]);
  });

  test.each([
    "https://offers.example/v1/events/impression?website=ws_journal",
    "https://offers.example/beacon.js",
    "https://offers.example/api/v1/impressions",
    "https://ads.example/embed.js",
    "https://affiliate.example/v1/decision",
    "https://offers.example/adserver/embed.js",
    "https://offers.example/R?E=abc",
  ])("while %s would", (url) => {
    expect(blockedShapes.some((shape) => matches(shape, url))).toBe(true);
  });
});

test("events have no query to be recognised by", () => {
  for (const url of eventUrls()) expect(url).not.toContain("?");
});

test.each([hostAttribute, placeAttribute])("%s in the page is named after nothing hidden by rule", (name) => {
  expect(name).not.toMatch(/ad|sponsor|affiliate|promo|banner|popup|overlay|offer/i);
  expect(name).not.toBe("data-aos");
});
