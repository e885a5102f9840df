import { describe, expect, it } from "vitest";
import { event, eventsOf, useEventService } from "../testing/event-service.ts";
import { withKey } from "../testing/key-calls.ts";

const on = useEventService();

describe("POST /v1/events", () => {
  it.each([
    ["served", "served"],
    ["impression", "impressions"],
    ["click", "clicks"],
  ])("is stored and counted: %s", async (type, figure) => {
    const answer = await on.a.report({ ...event, type });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({ id: expect.stringMatching(/^evt_[\w-]+$/), accepted: true });
    expect(eventsOf(on.service)).toMatchObject([
      { type, offer_id: "offer_best", country: "DE", reason: null },
    ]);
    expect(on.service.stored.figures()).toMatchObject({ [figure]: 1, spend_micros: 0 });
  });

  it("stands for itself each time when it names no decision", async () => {
    const ids = [await on.a.accept(event), await on.a.accept(event)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(eventsOf(on.service)).toHaveLength(2);
    await on.a.accept({ ...event, type: "click" });
    expect(on.service.stored.figures()).toMatchObject({ impressions: 2, clicks: 1, billable_clicks: 0 });
  });

  it("implies no impression by a click that names no decision: a server may report both", async () => {
    await on.a.accept({ ...event, type: "click" });
    expect(eventsOf(on.service)).toMatchObject([{ type: "click", reason: null }]);
    expect(on.service.stored.figures()).toMatchObject({ impressions: 0, clicks: 1 });
  });

  it.each<[string, unknown, string[]]>([
    ["no type", { ...event, type: undefined }, ["type"]],
    ["a type in capitals", { ...event, type: "Click" }, ["type"]],
    ["a type in the plural", { ...event, type: "impressions" }, ["type"]],
    ["a number for a type", { ...event, type: 1 }, ["type"]],
    ["null for a type", { ...event, type: null }, ["type"]],
    ["a list for a type", { ...event, type: ["click"] }, ["type"]],
    ["no website", { ...event, websiteKey: undefined }, ["websiteKey"]],
    ["no offer", { ...event, offerId: undefined }, ["offerId"]],
    ["an offer of another form", { ...event, offerId: "best" }, ["offerId"]],
    ["a country of three letters", { ...event, country: "DEU" }, ["country"]],
    ["a country that does not exist", { ...event, country: "XX" }, ["country"]],
    ["a time without a zone", { ...event, ts: "2026-11-20T12:00:00" }, ["ts"]],
    ["a time that is no date", { ...event, ts: "2026-02-30T12:00:00Z" }, ["ts"]],
    ["a number for a time", { ...event, ts: 1_795_000_000 }, ["ts"]],
    ["a lone surrogate", { ...event, offerId: "offer_\ud800" }, ["offerId"]],
    ["several things wrong", { websiteKey: "ws_a" }, ["type", "offerId"]],
  ])("is refused with %s", async (_name, body, parameters) => {
    const refused = await on.codeOf(body);
    expect(refused.status).toBe(400);
    expect(refused.code).toMatch(/^(missing|invalid)_parameter$/);
    expect([...new Set(refused.parameters)]).toEqual(parameters);
    expect(eventsOf(on.service)).toEqual([]);
  });

  it.each([
    ["requestId", "invalid_request_id"],
    ["country", "invalid_parameter"],
    ["ts", "invalid_parameter"],
  ])(
    "is refused with a blank %s, which could be left out, as with any that is none",
    async (member, code) => {
      const refused = await on.codeOf({ ...event, [member]: "" });
      expect([refused.code, ...new Set(refused.parameters)]).toEqual([code, member]);
    },
  );

  it("is the same 404 for another publisher's website and an unknown one", async () => {
    const others = await on.a.report({ ...event, websiteKey: "ws_b" });
    const unknown = await on.a.report({ ...event, websiteKey: "ws_none" });
    expect([others.status, unknown.status]).toEqual([404, 404]);
    expect(others.alike).toBe(unknown.alike);
    expect(eventsOf(on.service)).toEqual([]);
  });

  it("is 404 for an unknown offer, and stored without counting for one that is not permitted", async () => {
    expect(await on.codeOf({ ...event, offerId: "offer_none" })).toMatchObject({
      status: 404,
      code: "not_found",
    });
    const b = await withKey(on.service, { publisherId: "publisher_b" });
    const answer = await b.report({ ...event, websiteKey: "ws_empty" });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ accepted: false, reason: "not_permitted" });
    expect(on.service.stored.figures()).toMatchObject({ impressions: 0, filtered: 1 });
  });

  it("falls on the day of its own time, within the window", async () => {
    await on.a.accept({ ...event, ts: "2026-11-13T12:00:00Z" });
    await on.a.accept({ ...event, ts: "2026-11-20T12:05:00.000Z" });
    await on.a.accept(event);
    expect(eventsOf(on.service).map(({ day }) => day)).toEqual(["2026-11-13", "2026-11-20", "2026-11-20"]);
    for (const ts of ["2026-11-13T11:59:59Z", "2026-11-20T12:05:01Z", "2036-11-20T12:00:00Z"]) {
      expect(await on.codeOf({ ...event, ts })).toMatchObject({
        status: 400,
        code: "timestamp_out_of_range",
      });
    }
    expect(eventsOf(on.service)).toHaveLength(3);
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "{", 400, "invalid_body"],
    ["nothing", "", 400, "invalid_body"],
    ["null", "null", 400, "invalid_body"],
    ["a string", '"x"', 400, "invalid_body"],
    ["an empty list", "[]", 400, "invalid_body"],
    ["a list of events", JSON.stringify([event]), 400, "invalid_body"],
    ["17 KiB", JSON.stringify({ ...event, note: "x".repeat(17 * 1024) }), 413, "body_too_large"],
  ])("is refused when its body is %s", async (_name, body, status, code) => {
    expect(await on.codeOf(body)).toMatchObject({ status, code });
    expect(eventsOf(on.service)).toEqual([]);
  });

  it("is read from JSON alone", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      expect(await on.codeOf(event, { headers: { "Content-Type": type } })).toMatchObject({ status: 415 });
    }
  });

  it("never stores a member that it does not know", async () => {
    await on.a.accept({ ...event, note: "remember-me", billed_micros: 5, test: 1 });
    expect(JSON.stringify(on.service.stored.events())).not.toContain("remember-me");
    expect(eventsOf(on.service)).toMatchObject([{ test: 0, billed_micros: null }]);
  });

  it.each([
    ["request_id", "requestId"],
    ["RequestID", "requestId"],
    ["timestamp", "ts"],
    ["TS", "ts"],
    ["country-code", "country"],
    ["idempotencyKey", "the header Idempotency-Key"],
  ])("is refused with %s, which would be missed without a word", async (member, instead) => {
    const answer = await on.a.report({ ...event, [member]: "2026-11-20T12:00:00Z" });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "invalid_parameter",
      errors: [{ parameter: member, message: `is no member here: it is ${instead}` }],
    });
    expect(eventsOf(on.service)).toEqual([]);
  });

  it("is test traffic on a development website", async () => {
    await on.a.accept({ ...event, websiteKey: "ws_dev" });
    expect(on.service.stored.figures({ test: 1 }).impressions).toBe(1);
    expect(on.service.stored.figures({ test: 0 }).impressions).toBe(0);
  });
});
