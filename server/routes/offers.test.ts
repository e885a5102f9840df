import { offersAnswer } from "@offers/contract/offers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newJersey, nowhere } from "../testing/call.ts";
import { baseUrl, startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const minute = 60_000;
const servedRows = () => service.stored.events("served");

describe("GET /v1/offers", () => {
  it("sets the premium offer apart, best first, one of each brand, none from elsewhere or paused", async () => {
    const { answer } = await service.visit();
    expect(answer.premium.map(({ id, position }) => [id, position])).toEqual([["offer_premium", 1]]);
    const standard = answer.standard.map(({ id }) => id);
    expect(standard).not.toContain("offer_second");
    expect(standard).not.toContain("offer_french");
    expect(standard).not.toContain("offer_paused");
    expect(standard).toContain("offer_best");
    expect(answer.standard.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect(answer).toMatchObject({ country: "DE", region: "", emptyReason: null });
  });

  it("lets out exactly what the contract names, and no money", async () => {
    const { answer } = await service.visit();
    expect(offersAnswer.strict().parse(answer)).toEqual(answer);
    for (const offer of [...answer.premium, ...answer.standard]) {
      expect(Object.keys(offer).toSorted()).toEqual(
        [
          ...["brand", "ctaText", "description", "disclosure", "id", "imageUrl", "lang", "placement"],
          ...["position", "terms", "title", "url", "vertical"],
        ].toSorted(),
      );
    }
    // Sealed ids are random text, in which any short word turns up one day.
    const words = JSON.stringify(answer, (name, value) => (/^(requestId|url)$/.test(name) ? "" : value));
    expect(words).not.toMatch(/micros|budget|cap|payout|landing/i);
  });

  it("builds every link from BASE_URL, whatever the request calls its host", async () => {
    const { offers } = await service.visit({
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http" },
    });
    expect(offers.length).toBeGreaterThan(1);
    for (const { url } of offers) expect(url).toMatch(new RegExp(`^${baseUrl}/v1/r\\?t=[\\w-]+$`));
    expect(new Set(offers.map(({ url }) => url)).size).toBe(offers.length);
  });

  it("records what it hands out before it answers, with its price", async () => {
    const before = servedRows().length;
    const { offers } = await service.visit();
    const rows = servedRows().slice(before);
    expect(rows.map(({ offer_id }) => offer_id)).toEqual(offers.map(({ id }) => id));
    expect(rows[0]).toMatchObject({ price_micros: 500_000, payout_model: "CPC", reason: null, mark: null });
  });

  it("keeps the version of the rates that the offers were ranked by", async () => {
    const versionOf = async () => {
      const answers = service.catalogue.db.selectFrom("fact").select("rates").where("type", "=", 2);
      return (await answers.orderBy("at", "desc").orderBy("request", "desc").executeTakeFirst())?.rates;
    };
    const { decision, offers } = await service.visit();
    expect(await versionOf()).toBe(service.context.store.rates().version);
    const [seen] = offers;
    const { requestId } = decision;
    const body = {
      requestId,
      offerId: seen?.id,
      placement: seen?.placement,
      position: 1,
      surface: "overlay",
    };
    expect((await service.post("impression", body)).status).toBe(204);
    service.moveClock(6000);
    await service.change(async () => undefined);
    const { version } = service.context.store.rates();
    expect(version).toBeGreaterThan(0);
    await service.visit({ from: "203.0.113.77" });
    expect(await versionOf()).toBe(version);
  });

  it("serves a second call of one request without counting it twice", async () => {
    const { decision } = await service.visit();
    const path = `/v1/offers?website=ws_a&requestId=${decision.requestId}&country=DE`;
    const again = await service.call(path);
    expect(again.status).toBe(200);
    const request = servedRows().at(-1)?.request;
    const counted = servedRows().filter((row) => row.request === request && row.reason === null);
    expect(new Set(counted.map((row) => row.offer_id)).size).toBe(counted.length);
  });

  it("keeps to the decision's country, and marks a request that says another", async () => {
    const { requestId } = await service.decide();
    const answer = await service.call(`/v1/offers?website=ws_a&requestId=${requestId}&country=fr`);
    expect(answer.json()).toMatchObject({ country: "DE" });
    expect(answer.text).not.toContain("offer_french");
    expect(servedRows().at(-1)).toMatchObject({ country: "DE", mark: "geo_mismatch", reason: null });
  });

  it("takes a country in lower case for the same one", async () => {
    const { requestId } = await service.decide();
    await service.call(`/v1/offers?website=ws_a&requestId=${requestId}&country=de`);
    expect(servedRows().at(-1)).toMatchObject({ mark: null });
  });

  it("limits the standard offers as the page asks", async () => {
    const { requestId } = await service.decide();
    const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE&limit=2`;
    const answer = await service.call(path);
    expect(answer.json<{ standard: unknown[] }>().standard.length).toBe(2);
  });

  it.each([
    ["a visitor who sees the page", { from: newJersey }, "visitor_allowed"],
    ["a website that permits nothing", { website: "ws_empty" }, "allowlist_empty"],
  ])("gives %s no offers and records none", async (_, given, emptyReason) => {
    const before = servedRows().length;
    const { answer } = await service.visit(given);
    expect(answer).toMatchObject({ premium: [], standard: [], emptyReason });
    expect(servedRows().length).toBe(before);
  });

  it("may show offers to an allowed visitor in a section", async () => {
    const { answer } = await service.visit({ from: nowhere, query: "&mode=section" });
    expect(answer.emptyReason).toBeNull();
    expect([...answer.premium, ...answer.standard].map(({ id }) => id)).toEqual(["offer_world"]);
    expect(servedRows().at(-1)).toMatchObject({ surface: "section", country: "ZZ" });
  });

  it("stops handing out an offer as soon as its last click is billed", async () => {
    const { offers } = await service.visit();
    const once = offers.find(({ id }) => id === "offer_once");
    expect((await service.follow(once?.url ?? "")).status).toBe(302);
    const next = await service.visit({ from: "203.0.113.8" });
    expect(next.offers.map(({ id }) => id)).not.toContain("offer_once");
  });

  it("refuses another website's request, a forged one and rubbish alike, without offers", async () => {
    const other = await service.decide({ website: "ws_b" });
    const own = await service.decide();
    const flipped = `${own.requestId.slice(0, -1)}${own.requestId.endsWith("A") ? "B" : "A"}`;
    const answers = await Promise.all(
      [other.requestId, flipped, "req_AAAA"].map((requestId) =>
        service.call(`/v1/offers?website=ws_a&requestId=${requestId}&country=DE`),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: "invalid_request_id" });
      expect(answer.alike).toBe(answers[0]?.alike);
    }
  });

  it("serves a request for 30 minutes and not a millisecond longer", async () => {
    const { requestId } = await service.decide();
    const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE`;
    service.moveClock(30 * minute);
    expect((await service.call(path)).status).toBe(200);
    service.moveClock(1);
    const late = await service.call(path);
    expect(late.status).toBe(410);
    expect(late.json()).toMatchObject({ code: "request_expired" });
    expect(late.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
  });

  it("is never stored, not even by a cache of its own", async () => {
    const { requestId } = await service.decide();
    const answer = await service.call(`/v1/offers?website=ws_a&requestId=${requestId}&country=DE`);
    expect(answer.headers["cache-control"]).toBe("private, no-store");
    expect(answer.headers).not.toHaveProperty("etag");
  });

  it("writes no error line on the way", () => {
    expect(service.errors).toEqual([]);
  });
});
