import { endpoints, rateLimits as limits } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { recount } from "../store/books/recount.ts";
import type { Answer } from "../testing/call.ts";
import { limitsOverNodes } from "../testing/fake-windows.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const decision = "/v1/decision?pub=pub_a&website=ws_a";
const repeat = async (times: number, call: (turn: number) => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let turn = 0; turn < times; turn += 1) answers.push(await call(turn));
  return answers;
};
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
/** `"decision";r=59;t=60` → { r: 59, t: 60 }. */
const numbersOf = (field: unknown): Record<string, number> =>
  Object.fromEntries(
    [...String(field).matchAll(/;(\w)=(\d+)/g)].map(([, name = "", n]) => [name, Number(n)]),
  );

describe.each([
  { where: "of one process", limitsBy: (factor: number): RateLimits => createRateLimits(factor) },
  { where: "over several nodes", limitsBy: limitsOverNodes },
])("rate limits of the routes, $where,", ({ limitsBy }) => {
  let service: TestService;
  /** Fresh limits for each test: nobody has called yet. */
  let rateLimits: RateLimits;
  const limitBy = (factor: number) => {
    rateLimits = limitsBy(factor);
  };
  beforeAll(async () => {
    service = await startTestService({ rateLimits: { take: (name, key) => rateLimits.take(name, key) } });
  });
  afterAll(() => service.close());

  it("admits 60 decisions a minute and refuses the 61st, readable for the page", async () => {
    limitBy(1);
    const answers = await repeat(limits.decision + 1, () => service.call(decision));
    expect(statuses(answers.slice(0, -1)).every((status) => status === 200)).toBe(true);
    const remaining = answers.map(({ headers }) => numbersOf(headers.ratelimit).r);
    expect(remaining).toEqual([...Array(limits.decision).keys()].toReversed().concat(0));
    const refused = answers.at(-1);
    expect(refused?.status).toBe(429);
    expect(refused?.headers["ratelimit-policy"]).toBe('"decision";q=60;w=60');
    expect(refused?.headers).toMatchObject({
      "content-type": "application/problem+json; charset=utf-8",
      "access-control-allow-origin": "https://shop-a.example",
      "access-control-expose-headers": "Retry-After,RateLimit,RateLimit-Policy,Request-Id",
      "cache-control": "no-store",
    });
    expect(refused?.json()).toMatchObject({ code: "rate_limited", status: 429 });
    const retryAfter = Number(refused?.headers["retry-after"]);
    expect(retryAfter).toBe(numbersOf(refused?.headers.ratelimit).t);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it("counts each website and each address apart, and an IPv6 /64 as one", async () => {
    limitBy(1 / limits.decision);
    const answers = [
      await service.call(decision),
      await service.call(decision),
      await service.call(decision, { from: "203.0.113.99" }),
      await service.call("/v1/decision?pub=pub_b&website=ws_b", { origin: "https://shop-b.example" }),
      await service.call(decision, { from: "2001:db8:1:2::1" }),
      await service.call(decision, { from: "2001:db8:1:2:ffff::2" }),
      await service.call(decision, { from: "2001:db8:1:3::1" }),
      await service.call(decision, { from: "::ffff:203.0.113.99" }),
    ];
    expect(statuses(answers)).toEqual([200, 429, 200, 200, 200, 429, 200, 429]);
  });

  it("does not believe a caller who writes addresses in front of the proxy's own", async () => {
    limitBy(1 / limits.decision);
    const answers = await repeat(5, (turn) =>
      service.call(decision, { from: `10.0.0.${turn}, 203.0.113.7` }),
    );
    expect(statuses(answers)).toEqual([200, 429, 429, 429, 429]);
  });

  it.each([
    ["an unknown website", "/v1/decision?pub=pub_a&website=ws_nobody", {}, 403],
    ["a wrong origin", decision, { origin: "https://evil.example" }, 403],
    ["no website at all", "/v1/decision?pub=pub_a", {}, 400],
  ])(
    "limits the guessing of %s by address, and leaves the website's own visitors alone",
    async (_, path, given, refusal) => {
      limitBy(3 / limits.decision);
      expect(statuses(await repeat(5, () => service.call(path, given)))).toEqual([
        refusal,
        refusal,
        refusal,
        429,
        429,
      ]);
      expect((await service.call(decision)).status).toBe(200);
      expect((await service.call(path, { ...given, from: "203.0.113.8" })).status).toBe(refusal);
    },
  );

  it("limits all guesses together, and tells by no header which websites exist", async () => {
    limitBy(3 / limits.decision);
    const evil = { origin: "https://evil.example" };
    const known = await service.call(decision, evil);
    const unknown = await service.call("/v1/decision?pub=pub_a&website=ws_nobody", evil);
    const { date: _, "request-id": one, ...knownHeaders } = known.headers;
    const { date: __, "request-id": other, ...unknownHeaders } = unknown.headers;
    expect(knownHeaders).toEqual(unknownHeaders);
    expect(known.alike).toBe(unknown.alike);
    expect(one).not.toBe(other);
    await service.call(decision, evil);
    expect((await service.call("/v1/decision?pub=pub_a&website=ws_nobody", evil)).status).toBe(429);
  });

  const ownPolicies = [
    ["/v1/offers?website=ws_a&requestId=req_x&country=DE", "GET", "offers", undefined],
    ["/v1/events/drawn", "POST", "drawn", {}],
    ["/v1/events/impression", "POST", "impression", {}],
    ["/v1/events/click", "POST", "click", {}],
    ["/v1/events/dismiss", "POST", "dismiss", {}],
    ["/v1/events/snippet-ping", "POST", "snippet_ping", { websiteKey: "ws_a" }],
    ["/v1/widget-decline/session?pub=pub_a&website=ws_a", "POST", "session_open", undefined],
    ["/v1/widget-decline/session/dcl_x?pub=pub_a&website=ws_a", "GET", "session_poll", undefined],
    ["/v1/widget-decline/session?pub=pub_a", "POST", "session_open", undefined],
    ["/v1/whats-my-ip", "GET", "whats_my_ip", undefined],
  ] as const;
  it("tries the policy of every route that pages call", () => {
    const tried = new Set<string | null>(["decision", ...ownPolicies.map(([, , name]) => name)]);
    const ofPages = endpoints.filter(({ group }) => group === "embed");
    expect(ofPages.flatMap(({ limit }) => (tried.has(limit) ? [] : [limit]))).toEqual([]);
  });
  it.each(ownPolicies)("limits %s by its own policy", async (path, method, name, body) => {
    limitBy(1 / limits[name]);
    const [, refused] = await repeat(2, () => service.call(path, { method, body }));
    expect(refused?.status).toBe(429);
    expect(refused?.headers["ratelimit-policy"]).toBe(`"${name}";q=1;w=60`);
    expect(refused?.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
    expect((await service.call(decision)).status).toBe(200);
  });

  it("never stops a click: above the limit it redirects, bills nothing and is counted without a row", async () => {
    limitBy(2 / limits.hop);
    const { offers } = await service.visit();
    const floods = 500;
    const links = [...offers.slice(0, 2), ...Array.from({ length: floods }, () => offers[2])];
    const answers = await Promise.all(links.map((offer) => service.follow(offer?.url ?? "")));
    expect(new Set(statuses(answers))).toEqual(new Set([302]));
    expect(service.stored.events("click").map(({ reason }) => reason)).toEqual([null, null]);
    await expect.poll(() => service.stored.figures().filtered).toBe(floods);
    expect(service.stored.table("unkept_event")).toMatchObject([{ events: floods }]);
    const billed = service.stored.table("ledger_line").filter(({ kind }) => kind === "click");
    expect(service.stored.figures()).toMatchObject({ clicks: 2, billable_clicks: billed.length });
    expect((await recount(service.catalogue.db)).differences).toEqual([]);
  });

  it("bills a click from another address, and one on another website, though the first visitor is above the limit", async () => {
    limitBy(1);
    // Addresses that no other test has had clicks of.
    const [from, elsewhere] = ["203.0.113.98", "203.0.113.99"];
    const visits = [{ from }, { from }, { from: elsewhere }, { from, website: "ws_b" }];
    const links: string[] = [];
    for (const given of visits) links.push((await service.visit(given)).offers[0]?.url ?? "");
    const before = service.stored.events("click").length;
    limitBy(1 / limits.hop);
    for (const [at, link] of links.entries())
      await service.follow(link, { from: at === 2 ? elsewhere : from });
    const websites = service.stored
      .events("click")
      .slice(before)
      .map(({ website_id, billed_micros }) => ({ website_id, isBilled: billed_micros !== null }));
    const [first, , third] = websites;
    expect(websites).toHaveLength(3);
    expect(websites.map(({ isBilled }) => isBilled)).toEqual([true, true, true]);
    expect(third?.website_id).not.toBe(first?.website_id);
  });

  it("does not limit health", async () => {
    limitBy(0.001);
    expect(statuses(await repeat(5, () => service.call("/healthz")))).toEqual([200, 200, 200, 200, 200]);
  });
});
