import { offerInput } from "@offers/contract/catalogue";
import { advertiserId, offerId } from "@offers/contract/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRequestId } from "../core/request-id.ts";
import { recount } from "../store/books/recount.ts";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { createOffer, updateOffer } from "../store/catalogue/offers.ts";
import { newJersey } from "../testing/call.ts";
import { type DeclineCalls, type Declined, withSecret } from "../testing/decline-calls.ts";
import type { EventType } from "../testing/stored-rows.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: DeclineCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withSecret(service);
  await service.change(async (catalogue) => {
    for (const vertical of ["gambling", "trading", "loans", "payday-lending", "insurance"]) {
      await addOffer(catalogue, vertical, ["DE"]);
    }
    // All that there is in Canada.
    await addOffer(catalogue, "online-casino", ["CA"]);
  });
});
afterAll(() => service.close());

const addOffer = (catalogue: CatalogueHandle, vertical: string, geoCoverage: string[]) =>
  createOffer(
    catalogue,
    offerInput.parse({
      advertiserId: advertiserId.parse("advertiser_1"),
      brand: `Brand of ${vertical}`,
      vertical,
      title: vertical,
      geoCoverage,
      payoutModel: "CPC",
      payoutMicros: 450_000,
      landingUrl: "https://brand.example/land?c={click_id}",
    }),
    { now: service.context.clock(), rules: fewPlaces, id: offerId.parse(`offer_${vertical}`) },
  );

const offersOf = ({ answer }: Declined) => [...answer.premium, ...answer.standard];
const verticalsOf = (declined: Declined) => new Set(offersOf(declined).map(({ vertical }) => vertical));
/** A visitor each, so that nobody was billed before. */
let visitors = 0;
const someone = () => {
  visitors += 1;
  return `203.0.113.${visitors}`;
};
const events = (requestId: string, type: EventType) => {
  const { request } = openRequestId(service.context.tokenKeys, requestId) ?? {};
  return service.stored
    .events(type)
    .filter((event) => event.request === request)
    .map(({ surface, reason, billed_micros }) => ({ surface, reason, billed_micros }));
};

describe("the offers of a declined visitor", () => {
  it("are those of the place, wherever the page itself is shown, and belong to the decline surface", async () => {
    const german = await a.decline();
    expect(verticalsOf(german).has("games")).toBe(true);
    const american = await a.decline({}, { from: newJersey });
    expect(american.country).toBe("US");
    expect(offersOf(american).map(({ id }) => id)).toEqual(["offer_world"]);
    for (const row of [...events(german.requestId, "served"), ...events(german.requestId, "blocked")]) {
      expect(row).toMatchObject({ surface: "decline", reason: null });
    }
    expect(events(german.requestId, "blocked")).toHaveLength(1);
  });

  it("are seen, clicked and billed like any other, on the decline surface", async () => {
    const from = someone();
    const declined = await a.decline({}, { from });
    const [offer] = offersOf(declined).filter(({ id }) => id === "offer_gambling");
    const seen = { requestId: declined.requestId, offerId: offer?.id, surface: "decline" };
    expect((await service.post("impression", seen, { from })).status).toBe(204);
    const hop = await service.follow(offer?.url ?? "", { from });
    expect(hop.status).toBe(302);
    expect(hop.headers.location).toMatch(/^https:\/\/brand\.example\/land/);
    expect(events(declined.requestId, "impression")).toEqual([
      { surface: "decline", reason: null, billed_micros: null },
    ]);
    expect(events(declined.requestId, "click")).toEqual([
      { surface: "decline", reason: null, billed_micros: 450_000 },
    ]);
    expect((await recount(service.catalogue.db)).differences).toEqual([]);
  });

  it("are for nobody before the session is ready: no answer holds a requestId until then", async () => {
    const { sessionId } = await a.open();
    const forged = sessionId.replace("dcl_", "req_");
    for (const requestId of [sessionId, forged]) {
      const answer = await service.call(`/v1/offers?website=ws_a&country=DE&requestId=${requestId}`);
      expect(answer.status).toBe(400);
    }
    expect((await a.poll(sessionId)).json()).not.toHaveProperty("requestId");
  });

  it("can be fetched for 30 minutes from the opening, and so outlast the session", async () => {
    const { sessionId } = await a.open();
    service.moveClock(800_000);
    await a.trigger({ sessionId });
    const state = await a.stateOf(sessionId);
    if (state.status !== "ready") throw new Error(state.status);
    const fetchOffers = () => service.call(`/v1/offers?website=ws_a&country=DE&requestId=${state.requestId}`);
    service.moveClock(1_000_000);
    expect((await fetchOffers()).status).toBe(200);
    service.moveClock(1);
    expect((await fetchOffers()).json()).toMatchObject({ status: 410, code: "request_expired" });
  });

  it("are another website's no more than a decision's", async () => {
    const { requestId } = await a.decline();
    const answer = await service.call(`/v1/offers?website=ws_b&country=DE&requestId=${requestId}`, {
      origin: "https://shop-b.example",
    });
    expect(answer.json()).toMatchObject({ status: 400, code: "invalid_request_id" });
  });
});

describe("a suppressed vertical", () => {
  it("is on an ordinary decline", async () => {
    expect(verticalsOf(await a.decline({ reason: "credit_score" }))).toContain("gambling");
  });

  it.each(["self_excluded", "underage", "Self-Excluded"])(
    "is every one of gambling, trading and loans for the reason %s, whatever the allowlist permits",
    async (reason) => {
      const verticals = verticalsOf(await a.decline({ reason }));
      expect(verticals.size).toBeGreaterThan(1);
      for (const vertical of ["gambling", "trading", "loans", "payday-lending", "online-casino"]) {
        expect(verticals).not.toContain(vertical);
      }
      expect(verticals).toContain("insurance");
    },
  );

  it("is what the trigger names, and nothing else", async () => {
    const verticals = verticalsOf(await a.decline({ suppressVerticals: ["games", "Insurance"] }));
    expect(verticals).not.toContain("games");
    expect(verticals).not.toContain("insurance");
    expect(verticals).toContain("gambling");
  });

  it("leaves an answer that says why when it leaves nothing", async () => {
    await service.change((catalogue) =>
      updateOffer(catalogue, "offer_world", { geoCoverage: ["DE"] }, fewPlaces),
    );
    const canadian = { website: "ws_dev", origin: "https://dev.shop-a.example" };
    const dev = await withSecret(service, canadian);
    const said = { reason: "underage" };
    const { answer } = await dev.decline(said, { query: "&dev-country=CA" });
    expect(answer).toMatchObject({ premium: [], standard: [], emptyReason: "suppressed" });
    expect((await dev.decline({}, { query: "&dev-country=CA" })).answer.emptyReason).toBeNull();
  });

  it("cannot be had by asking again, with another country or limit, or by events", async () => {
    const { requestId } = await a.decline({ reason: "underage" });
    for (const query of ["country=DE&limit=20", "country=CA", "country=DE&mode=section"]) {
      const answer = await service.call(`/v1/offers?website=ws_a&requestId=${requestId}&${query}`);
      const { premium, standard } = answer.json<Declined["answer"]>();
      expect([...premium, ...standard].map(({ vertical }) => vertical)).not.toContain("gambling");
    }
    await service.post("impression", { requestId, offerId: "offer_gambling" });
    await service.post("click", { requestId, offerId: "offer_gambling" });
    for (const type of ["impression", "click"] as const) {
      expect(events(requestId, type)).toEqual([
        { surface: "decline", reason: "not_served", billed_micros: null },
      ]);
    }
  });

  it("is enforced at the click: an offer that has become one is not paid for, and not where the visitor arrives", async () => {
    const from = someone();
    const [protectedVisit, other] = [
      await a.decline({ reason: "self_excluded" }, { from }),
      await a.decline({}, { from: someone() }),
    ];
    const linkOf = (declined: Declined) =>
      offersOf(declined).find(({ id }) => id === "offer_insurance")?.url ?? "";
    await service.change((catalogue) =>
      updateOffer(catalogue, "offer_insurance", { vertical: "casino" }, fewPlaces),
    );
    const body = { requestId: protectedVisit.requestId, offerId: "offer_insurance" };
    for (const event of ["impression", "click"] as const) {
      expect((await service.post(event, body, { from })).status).toBe(204);
      expect(events(protectedVisit.requestId, event)).toEqual([
        { surface: "decline", reason: "not_permitted", billed_micros: null },
      ]);
    }
    const hop = await service.follow(linkOf(protectedVisit), { from });
    expect(hop.status).toBe(302);
    expect(hop.headers.location).toBe("https://shop-a.example/offers");
    expect(events(protectedVisit.requestId, "click")).toEqual([
      { surface: "decline", reason: "not_permitted", billed_micros: null },
    ]);
    const free = await service.follow(linkOf(other), { from: "203.0.113.250" });
    expect(free.headers.location).toMatch(/^https:\/\/brand\.example\/land/);
  });
});
