import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer } from "@offers/contract/offers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { previewTokenMs, signPreviewToken } from "../../core/preview-token.ts";
import { readSessionCookie } from "../../core/session-cookie.ts";
import { setWebsitePaused, updateWebsite } from "../../store/catalogue/websites.ts";
import type { Call } from "../../testing/call.ts";
import { signedIn } from "../../testing/dash-calls.ts";
import { rules } from "../../testing/fixture.ts";
import { trafficTables } from "../../testing/stored-rows.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  session = (await signedIn(service)).cookie.split("=")[1] ?? "";
  sessionHash = hashOf(session);
});
afterAll(() => service.close());

/** What the service knows the session of a cookie by. */
const hashOf = (value: string): string => readSessionCookie(service.context.tokenKeys, value)?.hash ?? "";
beforeEach(() => service.empty([...trafficTables, "trouble", "snippet_ping", "dismissal"]));

/** The cookie of somebody who is signed in, and what is known of it. */
let session: string;
let sessionHash: string;
const idOf = (website: string) => service.context.store.catalogue().website(website)?.id ?? 0;
const tokenFor = (website = "ws_a") =>
  signPreviewToken(
    service.context.tokenKeys,
    { websiteId: idOf(website), session: sessionHash },
    service.context.clock(),
  );

/** As the browser calls from a page of the service's own origin. */
const own = (more: Call = {}): Call => ({
  origin: null,
  ...more,
  headers: { "Sec-Fetch-Site": "same-origin", ...more.headers },
});
const posted = (body: unknown, more: Call = {}): Call =>
  own({ method: "POST", body, origin: service.context.baseUrl, ...more });
const decide = (pub: string, query = "&dev-country=DE", given = own(), website = "ws_a") =>
  service.call(`/v1/decision?pub=${pub}&website=${website}${query}`, given);
const decided = async (query?: string) => (await decide(tokenFor(), query)).json<DecisionAnswer>();
const offersPath = ({ requestId, country }: DecisionAnswer, website = "ws_a") =>
  `/v1/offers?website=${website}&requestId=${requestId}&country=${country}`;

/** What any call gets that does not belong together. */
const refusal = async () => {
  const answer = await service.call("/v1/decision?pub=pub_b&website=ws_a");
  return [answer.status, answer.alike];
};

describe("a preview", () => {
  it("is decided for the place that it plays, without an origin", async () => {
    const blocked = await decided("&dev-country=DE");
    expect(blocked).toMatchObject({ allowed: false, country: "DE", settings: { show: true } });
    expect(await decided("&dev-country=US&dev-region=NJ")).toMatchObject({ allowed: true, region: "NJ" });
  });

  it("is handed the offers of that place", async () => {
    const { status, json } = await service.call(offersPath(await decided()), own());
    expect(status).toBe(200);
    const { premium, standard } = json<OffersAnswer>();
    expect(premium.length + standard.length).toBeGreaterThan(3);
  });

  it("is test traffic, bills nothing, and leaves no ping, no visitor and no trouble", async () => {
    const decision = await decided();
    const { requestId } = decision;
    const offers = (await service.call(offersPath(decision), own())).json<OffersAnswer>();
    const [offer] = offers.premium;
    const pub = tokenFor();
    const keys = { pub, website: "ws_a" };
    const bodies: [string, object][] = [
      ["drawn", { requestId, offerIds: [offer?.id], ...keys }],
      ["impression", { requestId, offerId: offer?.id, placement: "premium", position: 1, ...keys }],
      ["click", { requestId, offerId: offer?.id, placement: "premium", position: 1, ...keys }],
      ["dismiss", { requestId, ...keys }],
      [
        "snippet-ping",
        { pub, websiteKey: "ws_a", url: "https://offers.example/dash", scriptVersion: "1.0.0" },
      ],
    ];
    for (const [event, body] of bodies) {
      const { status, text } = await service.call(`/v1/events/${event}`, posted(body));
      expect([event, status, text]).toEqual([event, 204, ""]);
    }
    expect(
      (await service.follow(offer?.url ?? "", own({ headers: { "Sec-Fetch-Site": "none" } }))).status,
    ).toBe(302);
    const events = service.stored.events();
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(["blocked", "served", "drawn", "impression", "click"]),
    );
    expect(service.stored.table("counted").every(({ test }) => test === 1)).toBe(true);
    expect(service.stored.figures()).toMatchObject({ blocked: 1, spend_micros: 0 });
    for (const table of ["ledger_line", "spend", "billed_click", "snippet_ping", "dismissal", "trouble"]) {
      // PostgreSQL opens the rows of caps before it locks them.
      const rows = service.stored.table(table).filter(({ spent_micros: spent }) => spent !== 0);
      expect([table, rows]).toEqual([table, []]);
    }
  });

  it("is in no live report", async () => {
    await decided();
    expect(service.stored.table("counted").filter(({ test }) => test === 0)).toEqual([]);
  });

  it("follows the rules of its website but for what its pages are called", async () => {
    const settings = { pages: { include: ["/news/*"] } };
    await service.change((catalogue) => updateWebsite(catalogue, "ws_a", { settings }, rules));
    expect((await decided()).settings).not.toHaveProperty("pages");
    expect((await service.decide()).settings).toHaveProperty("pages");
    await service.change((catalogue) => setWebsitePaused(catalogue, "ws_a", true));
    expect(await decided()).toMatchObject({ allowed: true });
    await service.change((catalogue) => setWebsitePaused(catalogue, "ws_a", false));
  });
});

describe("what is refused to the byte like a stranger's call, and leaves nothing", () => {
  const crossings: [string, Call][] = [
    ["from another site", { headers: { "Sec-Fetch-Site": "cross-site" } }],
    ["from a neighbour", { headers: { "Sec-Fetch-Site": "same-site" } }],
    ["typed in", { headers: { "Sec-Fetch-Site": "none" } }],
    ["of no browser", { headers: {} }],
    [
      "with a stranger's origin",
      { origin: "https://evil.example", headers: { "Sec-Fetch-Site": "same-origin" } },
    ],
    [
      "with the website's own origin",
      { headers: { "Sec-Fetch-Site": "cross-site" }, origin: "https://shop-a.example" },
    ],
    ["with an opaque origin", { origin: "null", headers: { "Sec-Fetch-Site": "same-origin" } }],
  ];

  it.each(crossings)("a token %s", async (_, given) => {
    const answer = await decide(tokenFor(), "&dev-country=DE", { origin: null, ...given });
    expect([answer.status, answer.alike]).toEqual(await refusal());
    const ping = { pub: tokenFor(), websiteKey: "ws_a" };
    const body = { method: "POST", body: ping };
    const pinged = await service.call("/v1/events/snippet-ping", { origin: null, ...given, ...body });
    expect([pinged.status, pinged.alike]).toEqual(await refusal());
    await service.call("/v1/decision?pub=pub_a&website=ws_a", { origin: "https://last.example" });
    await expect.poll(() => service.stored.table("trouble")).toHaveLength(2);
    const traces = service.stored.table("trouble").map(({ code, detail }) => [code, detail]);
    expect(traces.sort()).toEqual([
      ["origin_not_registered", "https://last.example"],
      ["wrong_public_key", "https://shop-a.example pub_b"],
    ]);
    expect([service.stored.events(), service.stored.table("snippet_ping")]).toEqual([[], []]);
  });

  it("a token of another website, a forged and an expired one", async () => {
    const token = tokenFor();
    const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
    for (const [pub, website] of [
      [tokenFor("ws_b"), "ws_a"],
      [token, "ws_b"],
      [token, "ws_none"],
      [forged, "ws_a"],
      ["pub_a", "ws_a"],
    ] as const) {
      const answer = await decide(pub, "", own(), website);
      expect([pub, answer.status, answer.alike]).toEqual([pub, ...(await refusal())]);
    }
    expect((await decide(token)).status).toBe(200);
    service.moveClock(previewTokenMs);
    const answer = await decide(token);
    expect([answer.status, answer.alike]).toEqual(await refusal());
  });

  it("a live visitor's requestId from the service's own origin, and a preview's from elsewhere", async () => {
    const live = await service.decide();
    const answer = await service.call(offersPath(live), own());
    expect([answer.status, answer.alike]).toEqual(await refusal());
    const event = posted({ requestId: live.requestId, offerId: "offer_best" });
    expect((await service.call("/v1/events/impression", event)).status).toBe(403);
    const preview = await decided();
    for (const [, given] of crossings.filter(([, { origin }]) => origin !== "https://shop-a.example")) {
      const foreign = await service.call(offersPath(preview), { origin: null, ...given });
      expect([foreign.status, foreign.alike]).toEqual(await refusal());
    }
    expect((await service.call(offersPath(preview, "ws_b"), own())).status).toBe(403);
  });

  it("a decline session, which no preview opens", async () => {
    const path = `/v1/widget-decline/session?pub=${tokenFor()}&website=ws_a`;
    expect((await service.call(path, own({ method: "POST" }))).status).toBe(403);
    expect(service.stored.sessions()).toEqual([]);
  });
});

describe("the page of a preview", () => {
  const open = (
    token: string,
    query = "&country=US-NJ&language=de&theme=dark",
    cookie = `offers=${session}`,
    website = "ws_a",
  ) =>
    service.call(`/dash/preview/${website}?token=${token}${query}`, {
      origin: null,
      headers: { ...(cookie !== "" && { Cookie: cookie }) },
    });

  it("has the tag, and may run and call this origin alone", async () => {
    const cookie = service.context.baseUrl.startsWith("https:") ? "__Host-offers" : "offers";
    const token = tokenFor();
    const { status, text, headers } = await open(token, undefined, `a=b; ${cookie}=${session}`);
    expect(status).toBe(200);
    expect(text).toContain(
      `<script async src="/embed.js" data-pub="${token}" data-website="ws_a" data-trigger="immediate" data-dev-country="US" data-dev-region="NJ" data-lang="de" data-theme="dark"></script>`,
    );
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/script-src 'self'; connect-src 'self';/);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  });

  it.each([
    ["another session's", (token: string) => open(token, "", cookieOf("someone else")), 403],
    ["nobody's", (token: string) => open(token, "", ""), 403],
    ["another website's", (token: string) => open(token, "", cookieOf(session), "ws_b"), 403],
    ["an unknown website's", (token: string) => open(token, "", cookieOf(session), "ws_none"), 403],
    ["of two sessions", (token: string) => open(token, "", `${cookieOf(session)}; ${cookieOf("b")}`), 403],
    ["a session's that is over", (token: string) => openAfterSignOut(token), 403],
    ["no token", () => open("pub_a", "", cookieOf(session)), 403],
  ])("says that it is not to be seen, when it is %s", async (_, opened, status) => {
    const answer = await opened(tokenFor());
    expect(answer.status).toBe(status);
    expect(answer.text).toContain("This preview is not for this sign-in.");
    expect(answer.text).not.toContain("<script");
  });

  const openAfterSignOut = async (token: string) => {
    const { cookie, get, change } = await signedIn(service);
    const [, own = ""] = cookie.split("=");
    const made = signPreviewToken(
      service.context.tokenKeys,
      { websiteId: idOf("ws_a"), session: hashOf(own) },
      service.context.clock(),
    );
    expect((await open(made, "", cookie)).status).toBe(200);
    expect((await open(token, "", cookie)).status).toBe(403);
    const { items } = (await get("/dash/api/me/sessions")).json<{ items: { sessionId: number }[] }>();
    for (const { sessionId } of items) await change("DELETE", `/dash/api/me/sessions/${sessionId}`);
    return open(made, "", cookie);
  };

  it("says that it has expired", async () => {
    const token = tokenFor();
    service.moveClock(previewTokenMs);
    const { status, text } = await open(token, "", cookieOf(session));
    expect(status).toBe(410);
    expect(text).toContain("This preview has expired.");
    expect(text).not.toContain("<script");
  });

  it.each(["&country=D", `&country=${encodeURIComponent('"><script>')}`, "&language=xx", "&theme=pink"])(
    "refuses %s",
    async (query) => {
      const { status, text } = await open(tokenFor(), query, cookieOf(session));
      expect(status).toBe(400);
      expect(text).not.toContain("<script");
    },
  );

  const cookieOf = (value: string) =>
    `${service.context.baseUrl.startsWith("https:") ? "__Host-offers" : "offers"}=${value}`;
});
