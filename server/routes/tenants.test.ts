import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../testing/call.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
let requests: Record<"own" | "others" | "unknown" | "malformed", string>;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  requests = {
    own: (await service.decide()).requestId,
    others: (await service.decide({ website: "ws_b" })).requestId,
    unknown: `req_${"A".repeat(80)}`,
    malformed: "no such request",
  };
});
afterAll(() => service.close());

const websites = { own: "ws_a", others: "ws_b", unknown: "ws_none", malformed: "no such key" };
type Kind = keyof typeof websites;

/** Every route that takes the id of something that a publisher owns, as publisher A calls it. */
const routes: [name: string, call: (kind: Kind) => Promise<Answer>][] = [
  [
    "GET /v1/decision, key, website",
    (kind) => a.get(`/v1/decision?website=${encodeURIComponent(websites[kind])}`),
  ],
  [
    "GET /v1/offers, key, website",
    (kind) => a.get(`/v1/offers?website=${encodeURIComponent(websites[kind])}`),
  ],
  [
    "GET /v1/reports/aggregate, websiteKey",
    (kind) => a.get(`/v1/reports/aggregate?websiteKey=${encodeURIComponent(websites[kind])}`),
  ],
  [
    "GET /v1/explain, requestId",
    (kind) => a.get(`/v1/explain?requestId=${encodeURIComponent(requests[kind])}`),
  ],
  [
    "POST /v1/events, websiteKey",
    (kind) => a.report({ type: "served", websiteKey: websites[kind], offerId: "offer_best" }),
  ],
  [
    "POST /v1/events, requestId",
    (kind) =>
      a.report({ type: "served", websiteKey: "ws_a", offerId: "offer_best", requestId: requests[kind] }),
  ],
  [
    "GET /v1/decision, page, website",
    (kind) => service.call(`/v1/decision?pub=pub_a&website=${encodeURIComponent(websites[kind])}`),
  ],
  [
    "GET /v1/offers, page, website",
    (kind) =>
      service.call(
        `/v1/offers?website=${encodeURIComponent(websites[kind])}&country=DE&requestId=${requests.own}`,
      ),
  ],
  [
    "GET /v1/offers, page, requestId",
    (kind) =>
      service.call(`/v1/offers?website=ws_a&country=DE&requestId=${encodeURIComponent(requests[kind])}`),
  ],
  [
    "POST /v1/events/impression, requestId",
    (kind) => service.post("impression", { requestId: requests[kind], offerId: "offer_best" }),
  ],
  [
    "POST /v1/events/click, requestId",
    (kind) => service.post("click", { requestId: requests[kind], offerId: "offer_best" }),
  ],
  ["POST /v1/events/dismiss, requestId", (kind) => service.post("dismiss", { requestId: requests[kind] })],
  [
    "POST /v1/events/snippet-ping, websiteKey",
    (kind) => service.post("snippet-ping", { websiteKey: websites[kind] }),
  ],
];

/** All that could tell two answers apart, but for the clock and what is left of the limit. */
const tellable = ({ status, headers, alike }: Answer) => {
  const { date: _, ratelimit: __, "request-id": ___, ...others } = headers;
  return { status, headers: others, alike };
};

describe("what belongs to another publisher", () => {
  it.each(routes)("is what nobody has: %s", async (_name, call) => {
    const [own, others, unknown, malformed] = [
      await call("own"),
      await call("others"),
      await call("unknown"),
      await call("malformed"),
    ];
    expect(own.status).toBeLessThan(300);
    expect([400, 403, 404]).toContain(others.status);
    expect(tellable(others)).toEqual(tellable(unknown));
    expect(malformed.status).toBe(400);
    for (const { text } of [others, unknown, malformed]) expect(text).not.toMatch(/shop-b|publisher_b|pub_b/);
  });

  it("leaves nothing behind: only publisher A's own events were stored", () => {
    const events = service.stored.events();
    expect(new Set(events.map(({ website_id }) => website_id))).toEqual(new Set([1, 2]));
    const others = events.filter(({ website_id }) => website_id === 2);
    expect(others.map(({ type }) => type)).toEqual(["blocked"]);
  });
});
