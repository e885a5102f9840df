import { endpoints } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../testing/call.ts";
import { type DeclineCalls, withSecret } from "../testing/decline-calls.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
let declines: DeclineCalls;
let requests: Record<Kind, string>;
let sessions: Record<Kind, string>;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  requests = {
    own: (await service.decide()).requestId,
    others: (await service.decide({ website: "ws_b" })).requestId,
    unknown: `req_${"A".repeat(80)}`,
    malformed: "no such request",
  };
  declines = await withSecret(service);
  const others = await withSecret(service, {
    ...{ website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" },
  });
  sessions = {
    own: (await declines.open()).sessionId,
    others: (await others.open()).sessionId,
    unknown: `dcl_${"A".repeat(22)}`,
    malformed: "no such session",
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
    "GET /v1/reports/aggregate.csv, websiteKey",
    (kind) => a.get(`/v1/reports/aggregate.csv?websiteKey=${encodeURIComponent(websites[kind])}`),
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
    "POST /v1/events/drawn, requestId",
    (kind) => service.post("drawn", { requestId: requests[kind], offerIds: ["offer_best"] }),
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
  [
    "POST /v1/widget-decline/session, website",
    (kind) =>
      service.call(`/v1/widget-decline/session?pub=pub_a&website=${encodeURIComponent(websites[kind])}`, {
        method: "POST",
      }),
  ],
  [
    "GET /v1/widget-decline/session/:sessionId, sessionId",
    (kind) => declines.poll(encodeURIComponent(sessions[kind])),
  ],
  ["POST /v1/widget-decline/trigger, sessionId", (kind) => declines.trigger({ sessionId: sessions[kind] })],
];

it("every route that is not for anybody is tried here: each takes the id of what a publisher owns", () => {
  const rows = endpoints.filter(({ group }) => group !== "open");
  const untried = rows.filter(({ method, path, group }) => {
    const isShared = rows.some((other) => other.path === path && other.group !== group);
    const by = isShared ? (group === "embed" ? ", page" : ", key") : "";
    return !routes.some(([name]) => name.startsWith(`${method} ${path}${by}, `));
  });
  expect(untried).toEqual([]);
});

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
    expect([400, 404]).toContain(malformed.status);
    for (const { text } of [others, unknown, malformed]) expect(text).not.toMatch(/shop-b|publisher_b|pub_b/);
  });

  it("leaves nothing behind: only publisher A's own events were stored", () => {
    const events = service.stored.events();
    expect(new Set(events.map(({ website_id }) => website_id))).toEqual(new Set([1, 2]));
    const others = events.filter(({ website_id }) => website_id === 2);
    expect(others.map(({ type }) => type)).toEqual(["blocked"]);
  });
});
