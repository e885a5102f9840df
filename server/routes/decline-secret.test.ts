import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { revokeIntegrationSecret } from "../store/catalogue/integration-secrets.ts";
import type { Call } from "../testing/call.ts";
import { type DeclineCalls, withSecret } from "../testing/decline-calls.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: DeclineCalls;
let b: DeclineCalls;
const rateLimits: RateLimits = createRateLimits(1000);
beforeAll(async () => {
  service = await startTestService({ rateLimits: { take: (name, key) => rateLimits.take(name, key) } });
  a = await withSecret(service);
  b = await withSecret(service, { website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" });
});
afterAll(() => service.close());

const path = "/v1/widget-decline/trigger";
const blockedOn = (surface: string) => service.stored.figures({ surface }).blocked;
const rowOf = (sessionId: string) =>
  service.stored.sessions(sessionId).map(({ ready_at }) => ({ ready_at }))[0];

describe("the credential of POST /v1/widget-decline/trigger", () => {
  it("takes the secret as a bearer token, in a header of its own, or in the body", async () => {
    const { secret } = a.secret;
    const ways: [body: object, headers: Record<string, string>][] = [
      [{}, { Authorization: `Bearer ${secret}` }],
      [{}, { Authorization: `bearer ${secret}` }],
      [{}, { "X-Integration-Secret": secret }],
      [{ secret }, {}],
    ];
    for (const [body, headers] of ways) {
      const { sessionId } = await a.open();
      expect((await a.trigger({ sessionId, ...body }, { headers })).status).toBe(200);
      expect((await a.stateOf(sessionId)).status).toBe("ready");
    }
  });

  const wrong: [name: string, body: (good: string) => object, headers: (good: string) => Call["headers"]][] =
    [
      ["no secret", () => ({}), () => ({})],
      ["an empty one", () => ({ secret: "" }), () => ({ "X-Integration-Secret": "" })],
      ["a wrong one", () => ({}), () => ({ Authorization: `Bearer its_${"0".repeat(32)}` })],
      ["one that is cut", () => ({}), (good) => ({ Authorization: `Bearer ${good.slice(0, -1)}` })],
      ["another scheme", () => ({}), (good) => ({ Authorization: `Basic ${btoa(good)}` })],
      ["it twice", () => ({}), (good) => ({ Authorization: [`Bearer ${good}`, `Bearer ${good}`] })],
      ["its header twice", () => ({}), (good) => ({ "X-Integration-Secret": [good, good] })],
      ["a wrong one before a good one", (good) => ({ secret: good }), () => ({ Authorization: "Bearer x" })],
      [
        "a wrong header before a good body",
        (good) => ({ secret: good }),
        () => ({ "X-Integration-Secret": "x" }),
      ],
      ["a wrong one in the body", () => ({ secret: "its_x" }), () => ({})],
      ["a number in the body", () => ({ secret: 1 }), () => ({})],
      ["the website's public key", () => ({}), () => ({ Authorization: "Bearer pub_a" })],
      [
        "what looks like an OAuth token",
        () => ({}),
        () => ({ Authorization: "Bearer oat_0123456789abcdef" }),
      ],
    ];
  it.each(wrong)("with %s is 401, and the session waits on", async (_, bodyOf, headersOf) => {
    const { secret } = a.secret;
    const { sessionId } = await a.open();
    const before = blockedOn("decline");
    const answer = await a.trigger({ sessionId, ...bodyOf(secret) }, { headers: headersOf(secret) ?? {} });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json()).toMatchObject({
      code: "unauthorized",
      detail: expect.stringMatching(/Bearer, X-Integration-Secret, or secret in the body.*settled on/),
    });
    expect((await a.stateOf(sessionId)).status).toBe("pending");
    expect(blockedOn("decline")).toBe(before);
  });

  it("with another website's secret is 404, as an unknown session is, and the session waits on", async () => {
    const { sessionId } = await a.open();
    const before = blockedOn("decline");
    const [foreign, unknown] = [
      await b.trigger({ sessionId }),
      await b.trigger({ sessionId: "dcl_unknown" }),
    ];
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.alike).toBe(unknown.alike);
    expect((await a.stateOf(sessionId)).status).toBe("pending");
    expect(rowOf(sessionId)).toEqual({ ready_at: null });
    expect(blockedOn("decline")).toBe(before);
  });

  it("acts for the website of the secret that stands first, not of one further back", async () => {
    const { sessionId } = await a.open();
    const headers = { Authorization: `Bearer ${b.secret.secret}`, "X-Integration-Secret": a.secret.secret };
    expect((await a.trigger({ sessionId, secret: a.secret.secret }, { headers })).status).toBe(404);
    const own = { "X-Integration-Secret": a.secret.secret };
    expect((await a.trigger({ sessionId, secret: b.secret.secret }, { headers: own })).status).toBe(200);
  });

  it("with an API key of the same publisher is 401", async () => {
    const { key } = await withKey(service);
    const { sessionId } = await a.open();
    for (const [body, headers] of [
      [{}, { Authorization: `Bearer ${key.key}` }],
      [{}, { "X-Integration-Secret": key.key }],
      [{ secret: key.key }, {}],
      [{ secret: a.secret.secret }, { Authorization: `Bearer ${key.key}` }],
    ] as const) {
      expect((await a.trigger({ sessionId, ...body }, { headers })).status).toBe(401);
    }
    expect((await a.stateOf(sessionId)).status).toBe("pending");
  });

  it("the secret opens nothing else", async () => {
    const headers = { Authorization: `Bearer ${a.secret.secret}` };
    for (const other of ["/v1/decision?website=ws_a", "/v1/offers", "/v1/reports/aggregate"]) {
      expect((await service.call(other, { origin: null, headers })).status).toBe(401);
    }
  });

  const browsers: [string, Call][] = [
    ["the website's own Origin", { origin: "https://shop-a.example" }],
    ["an opaque Origin", { origin: "null" }],
    ["cross-site metadata", { origin: null, headers: { "Sec-Fetch-Site": "cross-site" } }],
    ["same-site metadata", { origin: null, headers: { "Sec-Fetch-Site": "same-site" } }],
  ];
  it.each(browsers)("with %s is 403 without a CORS grant, wherever the secret stands", async (_, browser) => {
    const { secret } = a.secret;
    const { sessionId } = await a.open();
    for (const [body, headers] of [
      [{}, { Authorization: `Bearer ${secret}` }],
      [{}, { "X-Integration-Secret": secret }],
      [{ secret }, {}],
    ] as const) {
      const answer = await a.trigger(
        { sessionId, ...body },
        { ...browser, headers: { ...browser.headers, ...headers } },
      );
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ code: "browser_not_allowed" });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect((await a.stateOf(sessionId)).status).toBe("pending");
  });

  it("has no preflight that a page could pass", async () => {
    const answer = await service.call(path, {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type" },
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("knows a new secret beside the old one, and forgets a revoked one, although nobody tells this process", async () => {
    const second = await withSecret(service);
    const { sessionId } = await a.open();
    expect((await a.trigger({ sessionId })).status).toBe(200);
    expect((await second.trigger({ sessionId })).status).toBe(200);
    await revokeIntegrationSecret(service.catalogue, second.secret.secretId, service.context.clock());
    await expect.poll(async () => (await second.trigger({ sessionId })).status).toBe(401);
    expect((await a.trigger({ sessionId })).status).toBe(200);
  });

  it("leaves no secret in the database and none in the log", async () => {
    const { sessionId } = await a.open();
    await a.trigger({ sessionId, secret: a.secret.secret }, { headers: {} });
    const kept = ["integration_secret", "decline_session", "event"].map((table) =>
      service.stored.table(table),
    );
    expect(JSON.stringify(kept)).not.toContain(a.secret.secret);
    expect(service.errors).toEqual([]);
  });
});
