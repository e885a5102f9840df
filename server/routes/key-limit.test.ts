import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits } from "../http/rate-limits.ts";
import { limitsOverNodes } from "../testing/fake-windows.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const limit = 600;

describe.each([
  { where: "of one process", rateLimits: createRateLimits(1) },
  { where: "over several nodes", rateLimits: limitsOverNodes(1) },
])("the limit of a key, $where,", ({ rateLimits }) => {
  let service: TestService;
  let one: KeyCalls;
  let other: KeyCalls;
  beforeAll(async () => {
    service = await startTestService({ rateLimits });
    one = await withKey(service);
    other = await withKey(service);
  });
  afterAll(() => service.close());

  it("admits 600 calls a minute over all routes and from wherever, tells how many are left, and refuses the next", async () => {
    const paths = ["/v1/offers?pageSize=1", "/v1/reports/aggregate", "/v1/decision?website=ws_a"];
    for (let call = 1; call <= limit; call += 1) {
      const from = `198.51.100.${call % 250}`;
      const { status, headers } = await one.get(paths[call % paths.length] ?? "", { from });
      expect(status).toBe(200);
      expect(headers["ratelimit-policy"]).toBe(`"key";q=${limit};w=60`);
      expect(headers.ratelimit).toMatch(new RegExp(`^"key";r=${limit - call};t=\\d+$`));
    }
    const refused = await one.get("/v1/offers");
    expect(refused.status).toBe(429);
    expect(refused.json()).toMatchObject({ code: "rate_limited" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect(refused.headers.ratelimit).toMatch(/^"key";r=0;t=\d+$/);
  });

  it("is each key's own, and none of the pages'", async () => {
    expect((await one.get("/v1/offers")).status).toBe(429);
    expect((await other.get("/v1/offers")).status).toBe(200);
    expect((await service.decide()).requestId).toMatch(/^req_/);
  });

  it("stops guesses of keys and secrets together by address, and nobody else at that address", async () => {
    const from = "203.0.113.77";
    const guess = (path: string, method: string, token: string) =>
      service.call(path, { method, origin: null, from, headers: { Authorization: `Bearer ${token}` } });
    for (let call = 0; call < 30; call += 1) {
      expect((await guess("/v1/offers", "GET", `sk_guess${call}`)).status).toBe(401);
      expect((await guess("/v1/widget-decline/trigger", "POST", `its_guess${call}`)).status).toBe(401);
    }
    const wrong = [await guess("/v1/offers", "GET", "sk_x"), await guess("/v1/events", "POST", "sk_y")];
    const trigger = await guess("/v1/widget-decline/trigger", "POST", "its_x");
    for (const answer of [...wrong, trigger]) {
      expect([answer.status, answer.headers["ratelimit-policy"]]).toEqual([
        429,
        '"wrong_credential";q=60;w=60',
      ]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    }
    expect((await other.get("/v1/offers", { from })).status).toBe(200);
    const elsewhere = { origin: null, from: "203.0.113.78", headers: { Authorization: "Bearer sk_x" } };
    expect((await service.call("/v1/offers", elsewhere)).status).toBe(401);
  });

  it("is not used up by whoever only guesses keys", async () => {
    for (let call = 0; call < 20; call += 1) {
      const guess = await service.call("/v1/offers", {
        origin: null,
        headers: { Authorization: `Bearer ${other.key.key.slice(0, -1)}_` },
      });
      expect(guess.status).toBe(401);
      expect(guess.headers.ratelimit).toBeUndefined();
    }
    const { headers } = await other.get("/v1/offers");
    expect(headers.ratelimit).toMatch(new RegExp(`^"key";r=${limit - 3};`));
  });
});
