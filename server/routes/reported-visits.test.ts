import { describe, expect, it } from "vitest";
import { event, eventsOf, hour, useEventService } from "../testing/event-service.ts";
import { readingMs } from "../testing/visitor-journeys.ts";

const on = useEventService();

const decided = async () => {
  const answer = await on.a.get("/v1/decision?website=ws_a&ip=203.0.113.9");
  return answer.json<{ requestId: string; offer: { id: string; url: string } }>();
};

describe("POST /v1/events with a requestId", () => {
  it("counts once with the embed's, whichever of the two reports it", async () => {
    const { decision, offers } = await on.service.visit();
    const [offer] = offers;
    const seen = { requestId: decision.requestId, offerId: offer?.id ?? "" };
    await on.service.post("impression", seen);
    const again = await on.a.accept({ ...event, ...seen, country: undefined });
    expect(again).toMatchObject({ accepted: false, reason: "duplicate" });
    expect(on.service.stored.figures().impressions).toBe(1);
  });

  it("takes place and traffic from the decision, whatever its body says", async () => {
    const { requestId, offer } = await decided();
    await on.a.accept({
      type: "impression",
      websiteKey: "ws_a",
      offerId: offer.id,
      requestId,
      country: "FR",
    });
    expect(eventsOf(on.service).at(-1)).toMatchObject({ type: "impression", country: "DE", reason: null });
  });

  it("confirms the offer that the decision came with, once, and invents no other", async () => {
    const { requestId, offer } = await decided();
    const base = { websiteKey: "ws_a", requestId };
    const refused = (reason: string) => ({ accepted: false, reason });
    expect(await on.a.accept({ ...base, type: "click", offerId: offer.id })).toMatchObject({
      accepted: true,
    });
    expect(await on.a.accept({ ...base, type: "served", offerId: offer.id })).toMatchObject({
      accepted: true,
    });
    const again = await on.a.accept({ ...base, type: "served", offerId: offer.id });
    expect(again).toMatchObject(refused("duplicate"));
    for (const type of ["impression", "served", "impression", "click"]) {
      const other = await on.a.accept({ ...base, type, offerId: "offer_second" });
      expect(other).toMatchObject({ accepted: false });
    }
    expect(on.service.stored.figures()).toMatchObject({ served: 1, clicks: 1 });
  });

  it("stands where its decision handed the offer out, in which its impression and its click count", async () => {
    const { requestId, offer } = await decided();
    for (const type of ["served", "impression"]) {
      await on.a.accept({ type, websiteKey: "ws_a", offerId: offer.id, requestId });
    }
    on.service.moveClock(readingMs);
    await on.service.follow(offer.url, { from: "203.0.113.9" });
    const counted = on.service.stored
      .events()
      .filter(({ type, reason }) => type !== "blocked" && reason === null);
    expect(counted.map(({ type, placement }) => [type, placement])).toEqual(
      ["served", "impression", "click"].map((type) => [type, "premium"]),
    );
  });

  it("lets a click count whose offer was handed out long before the server says so", async () => {
    const { requestId, offer } = await decided();
    on.service.moveClock(30_000);
    await on.a.accept({ type: "served", websiteKey: "ws_a", offerId: offer.id, requestId });
    on.service.moveClock(200);
    await on.service.follow(offer.url, { from: "203.0.113.9" });
    const click = eventsOf(on.service).find(({ type }) => type === "click");
    expect(click).toMatchObject({ reason: null });
  });

  it("counts and bills nothing for a visitor who was shown the page", async () => {
    const through = await on.a.get("/v1/decision?website=ws_a&ip=198.51.100.9");
    const { requestId, decision } = through.json<{ requestId: string; decision: string }>();
    expect(decision).toBe("pass_through");
    for (const type of ["served", "impression", "click"]) {
      const told = await on.a.accept({ type, websiteKey: "ws_a", requestId, offerId: "offer_cpm" });
      expect(told).toMatchObject({ accepted: false, reason: "not_served" });
    }
    const nothing = { served: 0, impressions: 0, clicks: 0, spend_micros: 0 };
    expect(on.service.stored.figures()).toMatchObject({ ...nothing, filtered: 3 });
  });

  it("bills a thousandth impression price once, and no click", async () => {
    const { decision, offers } = await on.service.visit();
    expect(offers.map(({ id }) => id)).toContain("offer_cpm");
    const cpm = { websiteKey: "ws_a", requestId: decision.requestId, offerId: "offer_cpm" };
    for (const type of ["served", "impression", "impression", "click"]) await on.a.accept({ ...cpm, type });
    expect(on.service.stored.figures()).toMatchObject({ spend_micros: 1000, billable_clicks: 0 });
    const charges = on.service.stored.table("ledger_line").filter(({ micros }) => Number(micros) < 0);
    expect(charges.map(({ kind, micros }) => ({ kind, micros }))).toEqual([
      { kind: "impression", micros: -1000 },
    ]);
  });

  it("falls on no day before its decision, whose caps it would use", async () => {
    const { requestId, offer } = await decided();
    const ts = "2026-11-15T12:00:00Z";
    await on.a.accept({ type: "impression", websiteKey: "ws_a", offerId: offer.id, requestId, ts });
    expect(eventsOf(on.service).at(-1)).toMatchObject({ type: "impression", day: "2026-11-20" });
  });

  it("is stored as expired when the decision is older than a day", async () => {
    const { requestId, offer } = await decided();
    on.service.moveClock(24 * hour + 1);
    const late = await on.a.accept({ type: "click", websiteKey: "ws_a", offerId: offer.id, requestId });
    expect(late).toMatchObject({ accepted: false, reason: "expired" });
  });

  it("is accepted as the view of a click that counts, whatever speaks against it alone", async () => {
    const { requestId, offer } = await decided();
    const base = { websiteKey: "ws_a", offerId: offer.id, requestId };
    await on.a.accept({ ...base, type: "click" });
    on.service.moveClock(24 * hour + 1);
    const late = await on.a.accept({ ...base, type: "impression" });
    expect(late).toEqual({ id: expect.any(String), accepted: true });
    expect(on.service.stored.figures()).toMatchObject({ impressions: 1, clicks: 1, filtered: 0 });
  });

  it.each([
    ["of another publisher's website", async () => (await on.service.decide({ website: "ws_b" })).requestId],
    [
      "of another website of the same publisher",
      async () => (await on.service.decide({ website: "ws_dev" })).requestId,
    ],
    ["that nobody made", async () => "req_forged"],
  ])("is refused with a requestId %s", async (_name, make) => {
    const requestId = await make();
    const before = eventsOf(on.service).length;
    expect(await on.codeOf({ ...event, requestId })).toMatchObject({
      status: 400,
      code: "invalid_request_id",
    });
    expect(eventsOf(on.service)).toHaveLength(before);
  });
});
