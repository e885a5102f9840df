import { openedSession, sessionState } from "@offers/contract/decline";
import { rateLimits as limits } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { newJersey, nowhere } from "../testing/call.ts";
import { type DeclineCalls, withSecret } from "../testing/decline-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: DeclineCalls;
let rateLimits: RateLimits = createRateLimits(1000);
beforeAll(async () => {
  service = await startTestService({ rateLimits: { take: (name, key) => rateLimits.take(name, key) } });
  a = await withSecret(service);
});
afterAll(() => service.close());

const path = "/v1/widget-decline/session";
const site = "pub=pub_a&website=ws_a";
const sessions = () => service.stored.sessions().length;
const post = (query: string, given = {}) => service.call(`${path}?${query}`, { method: "POST", ...given });

describe("POST /v1/widget-decline/session", () => {
  it.each([
    ["no Origin", null],
    ["an opaque one", "null"],
    ["a stranger's", "https://evil.example"],
    ["another website's", "https://shop-b.example"],
  ])("with %s is 403 and opens nothing", async (_, origin) => {
    const before = sessions();
    const answer = await post(site, { origin });
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({ code: "origin_not_allowed" });
    expect(sessions()).toBe(before);
  });

  it.each([
    ["pub", "website=ws_a"],
    ["website", "pub=pub_a"],
    ["pub", "pub=&website=ws_a"],
  ])("without %s is 400 and opens nothing", async (parameter, query) => {
    const before = sessions();
    const answer = await post(query);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "missing_parameter", errors: [{ parameter }] });
    expect(sessions()).toBe(before);
  });

  it("is the same 403 for an unknown website and a wrong key", async () => {
    const texts = [];
    for (const query of ["pub=pub_a&website=ws_none", "pub=pub_b&website=ws_a", "pub=pub_b&website=ws_b"]) {
      const answer = await post(query);
      expect(answer.status).toBe(403);
      texts.push(answer.alike);
    }
    expect(new Set(texts).size).toBe(1);
  });

  it("opens a session of 128 random bits for 900 seconds, and says when to ask", async () => {
    const answer = await post(site);
    expect(answer.status).toBe(201);
    expect(answer.headers["cache-control"]).toContain("no-store");
    expect(answer.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
    const opened = openedSession.parse(answer.json());
    expect(Object.keys(answer.json())).toEqual([
      "sessionId",
      "expiresAt",
      "pollAfterMs",
      "language",
      "status",
    ]);
    expect(opened).toMatchObject({ status: "pending", pollAfterMs: 2000 });
    expect(Buffer.from(opened.sessionId.slice("dcl_".length), "base64url")).toHaveLength(16);
    expect(opened.expiresAt).toBe(new Date(service.context.clock() + 900_000).toISOString());
    expect(opened.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("never gives two sessions one id", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await a.open()).sessionId));
    expect(new Set(ids).size).toBe(50);
  });

  it("counts nothing: nobody has declined anybody yet", async () => {
    const events = () => service.stored.events().length;
    const before = events();
    const { sessionId } = await a.open();
    await a.stateOf(sessionId);
    expect(events()).toBe(before);
  });

  it("keeps no address, and with Global Privacy Control no visitor either", async () => {
    const visitorOf = ({ sessionId }: { sessionId: string }) =>
      service.stored.sessions(sessionId)[0]?.visitor;
    expect(visitorOf(await a.open({ from: "203.0.113.209" }))).toMatch(/^[\w-]{22}$/);
    expect(visitorOf(await a.open({ headers: { "Sec-GPC": "1" } }))).toBeNull();
    expect(JSON.stringify(service.stored.sessions())).not.toContain("203.0.113.209");
  });

  it("lets one address open ten a minute, and refuses the rest of 100,000 without a row", async () => {
    rateLimits = createRateLimits(1);
    const before = sessions();
    const statuses = [];
    for (let time = 0; time < 1000; time += 1) statuses.push((await post(site)).status);
    expect(statuses.slice(0, limits.session_open)).toEqual(Array(limits.session_open).fill(201));
    expect(new Set(statuses.slice(limits.session_open))).toEqual(new Set([429]));
    const refused = await post(site);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.headers["ratelimit-policy"]).toBe('"session_open";q=10;w=60');
    expect(sessions()).toBe(before + limits.session_open);
    expect((await post(site, { from: "203.0.113.8" })).status).toBe(201);
    rateLimits = createRateLimits(1000);
  });

  it("says 503 when no more are kept", async () => {
    const full = await startTestService({
      wrapStore: (store) => ({
        ...store,
        journal: {
          ...store.journal,
          append: async () => ({ eventId: null, refusal: null, billedMicros: null, session: "too_many" }),
        },
      }),
    });
    const answer = await full.call(`${path}?${site}`, { method: "POST" });
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: "overloaded" });
    expect(answer.headers["retry-after"]).toBe("1");
    await full.close();
  });
});

describe("GET /v1/widget-decline/session/:sessionId", () => {
  it("tells that the session waits", async () => {
    const opened = await a.open();
    const answer = await a.poll(opened.sessionId);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toContain("no-store");
    expect(sessionState.parse(answer.json())).toEqual(opened);
    expect(answer.json()).not.toHaveProperty("requestId");
  });

  it("is the same 404 for an unknown session, another website's, and another page's of the website", async () => {
    const b = await withSecret(service, { website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" });
    const own = await a.open();
    const [, ready] = [await b.open(), await b.open()];
    await b.trigger({ sessionId: ready.sessionId });
    const answers = [
      await a.poll("dcl_unknown"),
      await a.poll("no-session"),
      await a.poll(`dcl_${"A".repeat(5000)}`),
      await a.poll("%00"),
      await a.poll((await b.open()).sessionId),
      await a.poll(ready.sessionId),
      await b.poll(own.sessionId, { from: newJersey }),
    ];
    const dev = await withSecret(service, { website: "ws_dev", origin: "https://dev.shop-a.example" });
    const elsewhere = await dev.open();
    answers.push(await dev.poll(elsewhere.sessionId, { origin: "http://localhost:8788" }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ alike }) => alike)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ code: "not_found" });
    expect((await dev.stateOf(elsewhere.sessionId)).status).toBe("pending");
  });

  it.each([
    ["no Origin", null, site, 403],
    ["a stranger's Origin", "https://evil.example", site, 403],
    ["no pub", "https://shop-a.example", "website=ws_a", 400],
    ["no website", "https://shop-a.example", "pub=pub_a", 400],
  ])("with %s is refused before anything is looked up", async (_, origin, query, status) => {
    const { sessionId } = await a.open();
    const answer = await service.call(`${path}/${sessionId}?${query}`, { origin });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(sessionId);
  });

  it("above 60 a minute, which is one a second, is 429 with Retry-After", async () => {
    const { sessionId } = await a.open();
    rateLimits = createRateLimits(1);
    const statuses = [];
    for (let time = 0; time < limits.session_poll; time += 1) statuses.push((await a.poll(sessionId)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await a.poll(sessionId);
    expect(refused.status).toBe(429);
    expect(refused.json()).toMatchObject({ code: "rate_limited" });
    expect(refused.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
    expect(refused.headers["access-control-expose-headers"]).toContain("Retry-After");
    const retryAfter = Number(refused.headers["retry-after"]);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    rateLimits = createRateLimits(1000);
  });

  it("is 429 for an address that only guesses, whichever website it names, and not for its sessions", async () => {
    const { sessionId } = await a.open();
    rateLimits = createRateLimits(1);
    const guess = (at: number) => a.poll(`dcl_guess${at}`);
    for (let at = 0; at < limits.unknown_session; at += 1) expect((await guess(at)).status).toBe(404);
    const refused = await guess(0);
    expect([refused.status, refused.headers["ratelimit-policy"]]).toEqual([
      429,
      '"unknown_session";q=30;w=60',
    ]);
    const query = "pub=pub_b&website=ws_b";
    const other = await service.call(`${path}/dcl_guess?${query}`, { origin: "https://shop-b.example" });
    expect(other.status).toBe(429);
    expect((await a.poll(sessionId)).status).toBe(200);
    rateLimits = createRateLimits(1000);
  });

  it("once ready names the visit and its place, the same at every poll", async () => {
    const { sessionId, expiresAt } = await a.open({ from: newJersey });
    await a.trigger({ sessionId });
    const first = await a.stateOf(sessionId, { from: newJersey });
    expect(first).toEqual({
      sessionId,
      expiresAt,
      pollAfterMs: 2000,
      language: "",
      status: "ready",
      requestId: expect.stringMatching(/^req_/),
      country: "US",
      region: "NJ",
    });
    service.moveClock(60_000);
    expect(await a.stateOf(sessionId)).toEqual(first);
  });

  it("takes the page's word for the place only where the address has none", async () => {
    const placeOf = async (given: Parameters<DeclineCalls["open"]>[0]) => {
      const { sessionId } = await a.open(given);
      await a.trigger({ sessionId });
      const state = await a.stateOf(sessionId);
      return state.status === "ready" ? `${state.country}-${state.region}` : state.status;
    };
    expect(await placeOf({ query: "&country=FR" })).toBe("DE-");
    expect(await placeOf({ query: "&country=FR", from: nowhere })).toBe("FR-");
    expect(await placeOf({ query: "&dev-country=FR" })).toBe("DE-");
    expect(await placeOf({ from: nowhere })).toBe("ZZ-");
  });

  it("expires by itself, with its last millisecond, whether it was ready or not", async () => {
    const [waiting, ready] = [await a.open(), await a.open()];
    await a.trigger({ sessionId: ready.sessionId });
    service.moveClock(899_999);
    expect((await a.stateOf(waiting.sessionId)).status).toBe("pending");
    expect((await a.stateOf(ready.sessionId)).status).toBe("ready");
    service.moveClock(1);
    for (const { sessionId, expiresAt } of [waiting, ready]) {
      expect(await a.stateOf(sessionId)).toEqual({
        sessionId,
        expiresAt,
        pollAfterMs: 2000,
        language: "",
        status: "expired",
      });
    }
  });

  it("says 503 while the database cannot be read", async () => {
    const broken = await startTestService({
      wrapStore: (store) => ({
        ...store,
        declineSession: async () => {
          const { StorageUnavailable } = await import("../core/storage-unavailable.ts");
          throw new StorageUnavailable("a session could not be read", 1);
        },
      }),
    });
    const answer = await broken.call(`${path}/dcl_1?${site}`);
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json()).toMatchObject({ detail: "This could not be read or stored now. Try again." });
    await broken.close();
  });
});
