import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OfferStatus } from "../core/catalogue.ts";
import type { ImpressionEntry } from "../core/journal-entry.ts";
import { setOfferStatus } from "../store/catalogue/offers.ts";
import { newJersey } from "../testing/call.ts";
import type { EventType } from "../testing/stored-rows.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
/** Views as they were handed to the journal. */
const views: ImpressionEntry[] = [];
beforeAll(async () => {
  service = await startTestService({
    wrapStore: (store) => ({
      ...store,
      journal: {
        ...store.journal,
        append: (entry) => {
          if (entry.kind === "impression") views.push(entry);
          return store.journal.append(entry);
        },
      },
    }),
  });
});
afterAll(() => service.close());

const events = ["impression", "click"] as const;
const dayMs = 24 * 60 * 60 * 1000;

const rowsOf = (type: EventType) => service.stored.events(type).map((row) => ({ ...row }));
const lastOf = (type: EventType) => rowsOf(type).at(-1);

describe.each(events)("POST /v1/events/%s", (event) => {
  it("records it and answers with nothing at all", async () => {
    const { decision, offers } = await service.visit();
    const body = {
      requestId: decision.requestId,
      offerId: offers[1]?.id,
      placement: "standard",
      position: 1,
    };
    const answer = await service.post(event, body);
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers).not.toHaveProperty("content-type");
    expect(answer.headers["access-control-allow-origin"]).toBe("https://shop-a.example");
    expect(lastOf(event)).toMatchObject({ offer_id: offers[1]?.id, reason: null, country: "DE", test: 0 });
  });

  it("counts the same event once, and answers the same", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    for (let time = 0; time < 3; time += 1) expect((await service.post(event, body)).status).toBe(204);
    const request = lastOf(event)?.request;
    const counted = rowsOf(event).filter((row) => row.request === request && row.reason === null);
    expect(counted.length).toBe(1);
  });

  it("takes application/json and text/plain, and website and pub where they agree", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id, pub: "pub_a", website: "ws_a" };
    for (const type of [
      "application/json",
      "text/plain;charset=UTF-8",
      "text/plain",
      "application/json; charset=utf-8",
    ]) {
      const answer = await service.post(event, body, { headers: { "Content-Type": type } });
      expect([type, answer.status]).toEqual([type, 204]);
    }
  });

  it.each([
    ["both keys in the query", "?pub=pub_a&website=ws_a", {}, 204, undefined],
    ["the keys in both, alike", "?pub=pub_a&website=ws_a", { pub: "pub_a", website: "ws_a" }, 204, undefined],
    ["a blank key in the query", "?pub=&website=ws_a", {}, 204, undefined],
    ["keys that differ", "?pub=pub_a&website=ws_a", { website: "ws_b" }, 400, "invalid_parameter"],
    ["public keys that differ", "?pub=pub_b", { pub: "pub_a" }, 400, "invalid_parameter"],
    ["a key twice", "?website=ws_a&website=ws_a", {}, 400, "repeated_parameter"],
    ["a key that is none", "?website=shop", {}, 400, "invalid_parameter"],
    ["another publisher's public key", "?pub=pub_b&website=ws_a", {}, 403, "origin_not_allowed"],
    ["another website's key", "?website=ws_wild", {}, 403, "origin_not_allowed"],
  ])("with %s", async (_name, query, inBody, status, code) => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id, ...inBody };
    const answer = await service.call(`/v1/events/${event}${query}`, { method: "POST", body });
    expect([answer.status, status === 204 ? undefined : answer.json().code]).toEqual([status, code]);
  });

  it("stores an event without an offer behind it as refused, and does not tell the browser", async () => {
    const { requestId } = await service.decide();
    // Of an offer that the catalogue does not know, no name is kept.
    for (const [offerId, stored] of [
      ["offer_best", "offer_best"],
      ["offer_that_nobody_knows", ""],
      ["offer_unknown_as_well", ""],
    ]) {
      expect((await service.post(event, { requestId, offerId })).status).toBe(204);
      expect(lastOf(event)).toMatchObject({ offer_id: stored, reason: "not_served", billed_micros: null });
    }
  });

  it("stores an offer that was paused or forbidden since as refused", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    const setStatus = (status: OfferStatus) =>
      service.change((db) => setOfferStatus(db, body.offerId ?? "", status));
    await setStatus("paused");
    expect((await service.post(event, body)).status).toBe(204);
    expect(lastOf(event)).toMatchObject({ reason: "paused" });
    await setStatus("active");
  });

  it("stores an event that is a day late as expired, still with 204", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    service.moveClock(dayMs + 1);
    expect((await service.post(event, body)).status).toBe(204);
    expect(lastOf(event)).toMatchObject({ reason: "expired", billed_micros: null });
    service.moveClock(-dayMs - 1);
  });

  it("refuses a forged requestId and another website's, and stores nothing", async () => {
    const { decision, offers } = await service.visit();
    const other = await service.decide({ website: "ws_b" });
    const offerId = offers[0]?.id;
    const before = rowsOf(event).length;
    const forged = `${decision.requestId.slice(0, -2)}${decision.requestId.endsWith("AA") ? "BB" : "AA"}`;
    const bodies = [
      { requestId: forged, offerId },
      { requestId: other.requestId, offerId },
      { requestId: other.requestId, offerId, website: "ws_a", pub: "pub_a" },
    ];
    for (const body of bodies) {
      const answer = await service.post(event, body);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: "invalid_request_id" });
    }
    expect(rowsOf(event).length).toBe(before);
  });

  it("refuses a body whose website or pub is not the request's", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    for (const wrong of [
      { website: "ws_b" },
      { pub: "pub_b" },
      { website: "ws_a", pub: "pub_b" },
      { website: "ws_nobody" },
    ]) {
      const answer = await service.post(event, { ...body, ...wrong });
      expect(answer.json()).toMatchObject({ code: "origin_not_allowed", status: 403 });
    }
  });

  it("keeps a development website's events apart as test traffic", async () => {
    const given = { website: "ws_dev", origin: "https://dev.shop-a.example", query: "&dev-country=DE" };
    const { decision, offers } = await service.visit(given);
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    expect((await service.post(event, body, { origin: given.origin, from: newJersey })).status).toBe(204);
    expect(lastOf(event)).toMatchObject({ test: 1, reason: null, billed_micros: null });
  });
});

describe("POST /v1/events/impression", () => {
  it("keeps the client's hints and bills a thousandth of a CPM offer", async () => {
    const { decision } = await service.visit();
    const clientHints = {
      viewportWidth: 390,
      visibleRatio: 0.75,
      visibleMs: 1200,
      shoeSize: 42,
      language: "de-DE",
      timezone: "Europe/Berlin",
    };
    await service.post("impression", { requestId: decision.requestId, offerId: "offer_cpm", clientHints });
    const row = lastOf("impression");
    expect(row).toMatchObject({ billed_micros: 1000 });
    const { visibleRatio, visibleMs } = clientHints;
    expect(String(row?.hints_json)).not.toMatch(/de-DE|Berlin/);
    expect(JSON.parse(String(row?.hints_json)).filter((hint: unknown) => hint !== null)).toEqual([
      400,
      visibleRatio,
      visibleMs,
    ]);
  });

  it("counts and bills a view that its own page calls hidden: hints are the page's word", async () => {
    const { decision } = await service.visit();
    const clientHints = { visibleRatio: 0, visibleMs: 0 };
    await service.post("impression", { requestId: decision.requestId, offerId: "offer_cpm", clientHints });
    expect(lastOf("impression")).toMatchObject({ reason: null, billed_micros: 1000 });
  });

  it.each([
    ["an offer that is billed by views", "offer_cpm", true],
    ["any other offer", "offer_best", false],
    ["an offer that the catalogue does not know", "offer_nobodys", false],
  ])(
    "says of %s whether it may be billed, by which its lane is chosen",
    async (_, offerId, isBilledByViews) => {
      const { decision } = await service.visit();
      expect((await service.post("impression", { requestId: decision.requestId, offerId })).status).toBe(204);
      expect(views.at(-1)).toMatchObject({ isBilledByViews, viewer: { network: expect.any(String) } });
    },
  );
});

describe("POST /v1/events/click", () => {
  it("bills nothing: only the hop does", async () => {
    const { decision, offers } = await service.visit();
    await service.post("click", { requestId: decision.requestId, offerId: offers[0]?.id, country: "DE" });
    expect(lastOf("click")).toMatchObject({ reason: null, billed_micros: null });
  });

  it("stores a click from where the offer is not as refused", async () => {
    const { decision, offers } = await service.visit();
    const body = { requestId: decision.requestId, offerId: offers[0]?.id };
    expect((await service.post("click", body, { from: newJersey })).status).toBe(204);
    expect(lastOf("click")).toMatchObject({ reason: "geo_mismatch" });
  });
});

describe("POST /v1/events/snippet-ping", () => {
  const ping = {
    websiteKey: "ws_a",
    pub: "pub_a",
    url: "https://shop-a.example/page",
    scriptVersion: "1.2.0",
  };
  const pings = () => service.stored.table("snippet_ping");

  it("keeps one row a website, host, version and hour, however many pings come", async () => {
    for (let time = 0; time < 30; time += 1) {
      expect((await service.post("snippet-ping", { ...ping, url: `${ping.url}${time}` })).status).toBe(204);
    }
    expect(pings()).toEqual([
      expect.objectContaining({ host: "shop-a.example", script_version: "1.2.0", surface: "overlay" }),
    ]);
    service.moveClock(60 * 60 * 1000);
    await service.post("snippet-ping", ping);
    expect(pings().length).toBe(2);
  });

  it("keeps no address of a stranger's page, and no version that no build has", async () => {
    for (const [url, scriptVersion] of [
      ["https://evil.example/", "0.0.1"],
      ["https://shop-a.example.evil.example/", "made-up"],
    ]) {
      service.moveClock(60 * 60 * 1000);
      expect((await service.post("snippet-ping", { ...ping, url, scriptVersion })).status).toBe(204);
    }
    for (const script_version of ["", "0.0.1"]) {
      const kept = { host: "shop-a.example", url: "https://shop-a.example", script_version };
      expect(pings()).toContainEqual(expect.objectContaining(kept));
    }
    expect(JSON.stringify(pings())).not.toContain("evil");
  });

  it("takes a ping that says no more than the website, in its body or in the query", async () => {
    expect((await service.post("snippet-ping", { websiteKey: "ws_a" })).status).toBe(204);
    const ask = (query: string, body: object) =>
      service.call(`/v1/events/snippet-ping?${query}`, { method: "POST", body });
    expect((await ask("pub=pub_a&website=ws_a", {})).status).toBe(204);
    expect((await ask("website=ws_a", { websiteKey: "ws_b" })).json()).toMatchObject({
      status: 400,
      code: "invalid_parameter",
      errors: [{ parameter: "website" }],
    });
    expect((await ask("pub=pub_a", {})).json()).toMatchObject({ code: "missing_parameter" });
  });

  it("refuses an unknown website and a page that is not its own, and stores nothing", async () => {
    const before = pings().length;
    const unknown = await service.post("snippet-ping", { ...ping, websiteKey: "ws_nobody" });
    const foreign = await service.post("snippet-ping", ping, { origin: "https://shop-b.example" });
    expect([unknown.status, foreign.status]).toEqual([403, 403]);
    expect(unknown.alike).toBe(foreign.alike);
    expect(pings().length).toBe(before);
  });
});

it("writes no error line on the way", () => {
  expect(service.errors).toEqual([]);
});
