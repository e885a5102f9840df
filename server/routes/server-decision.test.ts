import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRequestId } from "../core/request-id.ts";
import { chrome } from "../testing/call.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { readingMs } from "../testing/visitor-journeys.ts";

let service: TestService;
let a: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
});
afterAll(() => service.close());

describe("GET /v1/decision with an API key", () => {
  const decide = async (query: string) => {
    const answer = await a.get(`/v1/decision?website=ws_a${query}`);
    expect(answer.status).toBe(200);
    return { ...answer, body: answer.json<Record<string, unknown>>() };
  };

  it("serves a blocked visitor the overlay, with the best offer and its link", async () => {
    const { body, headers } = await decide("&ip=203.0.113.9&userAgent=Mozilla");
    expect(Object.keys(body)).toEqual(["decision", "country", "region", "offer", "requestId"]);
    expect(body).toMatchObject({
      decision: "serve_overlay",
      country: "DE",
      region: "",
      offer: { id: "offer_premium", vertical: "games", brand: "Premium" },
    });
    expect(Object.keys(body.offer as object)).toEqual(["id", "vertical", "brand", "url"]);
    expect((body.offer as { url: string }).url).toMatch(/^https:\/\/offers\.test\/v1\/r\?t=[\w-]+$/);
    expect(headers["x-geo-basis"]).toBeUndefined();
    expect(headers["cache-control"]).toContain("no-store");
  });

  it("needs no website with a key of one website, and is about no other", async () => {
    const one = await withKey(service, { websiteKey: "ws_dev" });
    const answer = await one.get("/v1/decision");
    expect(answer.json()).toMatchObject({ decision: "serve_overlay", country: "DE" });
    expect((await one.get("/v1/decision?website=ws_dev")).status).toBe(200);
    const other = await one.get("/v1/decision?website=ws_a");
    const unknown = await one.get("/v1/decision?website=ws_none");
    expect([other.status, other.alike]).toEqual([404, unknown.alike]);
    const reported = await one.report({ type: "served", websiteKey: "ws_a", offerId: "offer_best" });
    expect(reported.status).toBe(404);
  });

  it("lets others pass through, and then has no offer member", async () => {
    const { body } = await decide("&ip=198.51.100.9");
    expect(body).toEqual({
      decision: "pass_through",
      country: "US",
      region: "NJ",
      requestId: expect.stringMatching(/^req_/),
    });
  });

  it("serves the overlay without an offer where none is allowed", async () => {
    const b = await withKey(service, { publisherId: "publisher_b" });
    const answer = await b.get("/v1/decision?website=ws_empty&ip=203.0.113.9");
    expect(answer.json()).toMatchObject({ decision: "serve_overlay", country: "DE" });
    expect(answer.json()).not.toHaveProperty("offer");
  });

  it("locates the caller itself without an ip, and says so", async () => {
    const { body, headers } = await decide("");
    expect(body.country).toBe("DE");
    expect(headers["x-geo-basis"]).toBe("caller-ip");
  });

  it.each([
    ["a mapped address", "::ffff:203.0.113.9", "DE"],
    ["an IPv6 address", "2001:db8:1::7", "FR"],
    ["an address in no data", "192.0.2.1", "ZZ"],
  ])("locates %s", async (_name, ip, country) => {
    expect((await decide(`&ip=${encodeURIComponent(ip)}`)).body.country).toBe(country);
  });

  it.each([
    ["long", `${chrome} ${"x".repeat(600)}`],
    ["with a tab", `${chrome}\tx`],
    ["of two lines", `${chrome}\r\nx`],
  ])("takes whatever a browser sends as its user agent: one that is %s", async (_name, userAgent) => {
    const visitorOf = async (named: string) => {
      const { body } = await decide(`&ip=203.0.113.9&userAgent=${encodeURIComponent(named)}`);
      return openRequestId(service.context.tokenKeys, String(body.requestId))?.visitor;
    };
    expect(await visitorOf(userAgent)).toBe(await visitorOf(userAgent.slice(0, 512)));
    expect(await visitorOf(userAgent)).not.toBe(await visitorOf(chrome));
  });

  it("takes a visitor whose browser says more than counts for the one whom their page has asked for", async () => {
    const userAgent = `${chrome} ${"x".repeat(600)}`;
    const asked = await decide(`&ip=203.0.113.9&userAgent=${encodeURIComponent(userAgent)}`);
    const { requestId } = await service.decide({
      from: "203.0.113.9",
      headers: { "User-Agent": userAgent },
    });
    const [named, seen] = [asked.body.requestId, requestId].map(
      (id) => openRequestId(service.context.tokenKeys, String(id))?.visitor,
    );
    expect(named).not.toBeNull();
    expect(seen).toBe(named);
  });

  it.each(["1.2.3", "1.2.3.4.5", "01.2.3.4", "localhost", "203.0.113.9/24", "x".repeat(300), "::1%25eth0"])(
    "refuses the ip %j",
    async (ip) => {
      const answer = await a.get(`/v1/decision?website=ws_a&ip=${encodeURIComponent(ip)}`);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter: "ip" }] });
    },
  );

  it.each([
    ["ip=", "ip"],
    ["ip=%20", "ip"],
    ["ip", "ip"],
    ["website=", "website"],
    ["visitorIp=198.51.100.9", "visitorIp"],
    ["ip=198.51.100.9&user_agent=Mozilla", "user_agent"],
    ["country=US", "country"],
    ["pub=pub_a", "pub"],
    ["=", "query"],
  ])("decides nothing for a query that cannot be what was meant: %s", async (query, parameter) => {
    const answer = await a.get(`/v1/decision?${query.startsWith("website") ? "" : "website=ws_a&"}${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
  });

  it("takes a blank user agent for none, as some visitors send it", async () => {
    const visitorOf = ({ body }: Awaited<ReturnType<typeof decide>>) =>
      openRequestId(service.context.tokenKeys, String(body.requestId))?.visitor;
    expect(visitorOf(await decide("&ip=203.0.113.9&userAgent="))).toBeNull();
    expect(visitorOf(await decide("&ip=203.0.113.9&userAgent=x"))).not.toBeNull();
  });

  it("asks for the website where the publisher has several, and takes the only one where it has one", async () => {
    const answer = await a.get("/v1/decision");
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "missing_parameter", errors: [{ parameter: "website" }] });
  });

  it("counts the blocked visit, not an offer as served, and makes its link one that bills", async () => {
    const blocked = () => service.stored.figures().blocked;
    const served = () => service.stored.figures().served;
    const [before, servedBefore] = [blocked(), served()];
    const { body } = await decide("&ip=203.0.113.77&userAgent=Mozilla%2F5.0");
    expect(blocked()).toBe(before + 1);
    expect(served()).toBe(servedBefore);
    const { url } = body.offer as { url: string };
    service.moveClock(readingMs);
    const hop = await service.follow(url, { from: "203.0.113.77" });
    expect(hop.status).toBe(302);
    const rows = service.stored.events("click");
    expect(rows.at(-1)).toMatchObject({ billed_micros: 500_000, reason: null });
  });

  it("counts nothing when the visitor passes through", async () => {
    const events = () => service.stored.events().length;
    const before = events();
    await decide("&ip=198.51.100.9");
    expect(events()).toBe(before);
  });

  it("keeps no address and no user agent", async () => {
    await decide("&ip=203.0.113.201&userAgent=VerySpecialAgent");
    const kept = JSON.stringify(service.stored.events());
    expect(kept).not.toContain("203.0.113.201");
    expect(kept).not.toContain("VerySpecialAgent");
  });
});
