import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LedgerUnavailable } from "../store/ledger.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
let startedAt: number;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  startedAt = service.context.clock();
});
beforeEach(() => {
  service.moveClock(startedAt - service.context.clock());
  for (const table of ["event", "counter", "ledger_line", "spend", "idempotency"]) {
    service.database.sqlite.exec(`delete from ${table}`);
  }
});
afterAll(() => service.close());

const event = { type: "impression", websiteKey: "ws_a", offerId: "offer_best", country: "DE" };
const hour = 3_600_000;
const events = (service: TestService) =>
  service.rows("select type, offer_id, country, day, reason, test, billed_micros from event order by rowid");
const codeOf = async (body: unknown, given = {}) => {
  const answer = await a.report(body, given);
  const { code, errors } = answer.json<{ code: string; errors?: { parameter: string }[] }>();
  return { status: answer.status, code, parameters: errors?.map(({ parameter }) => parameter) };
};
const decided = async () => {
  const answer = await a.get("/v1/decision?website=ws_a&ip=203.0.113.9");
  return answer.json<{ requestId: string; offer: { id: string; url: string } }>();
};

describe("POST /v1/events", () => {
  it.each(["served", "impression", "click"])("D36: is stored and counted: %s", async (type) => {
    const answer = await a.report({ ...event, type });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({ id: expect.stringMatching(/^evt_[\w-]+$/), accepted: true });
    expect(events(service)).toMatchObject([{ type, offer_id: "offer_best", country: "DE", reason: null }]);
    const figure = { served: "served", impression: "impressions", click: "clicks" }[type];
    expect(service.rows(`select ${figure} as n, spend_micros as spend from counter`)).toEqual([
      { n: 1, spend: 0 },
    ]);
  });

  it("stands for itself each time when it names no decision", async () => {
    const ids = [await a.accept(event), await a.accept(event)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(events(service)).toHaveLength(2);
    await a.accept({ ...event, type: "click" });
    expect(service.rows("select impressions, clicks, billable_clicks from counter")).toEqual([
      { impressions: 2, clicks: 1, billable_clicks: 0 },
    ]);
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
  ])("D37: is refused with %s", async (_name, body, parameters) => {
    const refused = await codeOf(body);
    expect(refused.status).toBe(400);
    expect(refused.code).toMatch(/^(missing|invalid)_parameter$/);
    expect([...new Set(refused.parameters)]).toEqual(parameters);
    expect(events(service)).toEqual([]);
  });

  it("D38: is the same 404 for another publisher's website and an unknown one", async () => {
    const others = await a.report({ ...event, websiteKey: "ws_b" });
    const unknown = await a.report({ ...event, websiteKey: "ws_none" });
    expect([others.status, unknown.status]).toEqual([404, 404]);
    expect(others.text).toBe(unknown.text);
    expect(events(service)).toEqual([]);
  });

  it("D39: is 404 for an unknown offer, and stored without counting for one that is not permitted", async () => {
    expect(await codeOf({ ...event, offerId: "offer_none" })).toMatchObject({
      status: 404,
      code: "not_found",
    });
    const b = await withKey(service, { publisherId: "publisher_b" });
    const answer = await b.report({ ...event, websiteKey: "ws_empty" });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ accepted: false, reason: "not_permitted" });
    expect(service.rows("select impressions, filtered from counter")).toEqual([
      { impressions: 0, filtered: 1 },
    ]);
  });

  it("D42: falls on the day of its own time, within the window", async () => {
    await a.accept({ ...event, ts: "2026-11-13T12:00:00Z" });
    await a.accept({ ...event, ts: "2026-11-20T12:05:00.000Z" });
    await a.accept(event);
    expect(events(service).map(({ day }) => day)).toEqual(["2026-11-13", "2026-11-20", "2026-11-20"]);
    for (const ts of ["2026-11-13T11:59:59Z", "2026-11-20T12:05:01Z", "2036-11-20T12:00:00Z"]) {
      expect(await codeOf({ ...event, ts })).toMatchObject({ status: 400, code: "timestamp_out_of_range" });
    }
    expect(events(service)).toHaveLength(3);
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "{", 400, "invalid_body"],
    ["nothing", "", 400, "invalid_body"],
    ["null", "null", 400, "invalid_body"],
    ["a string", '"x"', 400, "invalid_body"],
    ["an empty list", "[]", 400, "invalid_body"],
    ["D44: a list of events", JSON.stringify([event]), 400, "invalid_body"],
    ["17 KiB", JSON.stringify({ ...event, note: "x".repeat(17 * 1024) }), 413, "body_too_large"],
  ])("D43: is refused when its body is %s", async (_name, body, status, code) => {
    expect(await codeOf(body)).toMatchObject({ status, code });
    expect(events(service)).toEqual([]);
  });

  it("D43: is read from JSON alone", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      expect(await codeOf(event, { headers: { "Content-Type": type } })).toMatchObject({ status: 415 });
    }
  });

  it("D43: never stores a member that it does not know", async () => {
    await a.accept({ ...event, note: "remember-me", billed_micros: 5, test: 1 });
    expect(JSON.stringify(service.rows("select * from event"))).not.toContain("remember-me");
    expect(events(service)).toMatchObject([{ test: 0, billed_micros: null }]);
  });

  it("is test traffic on a development website", async () => {
    await a.accept({ ...event, websiteKey: "ws_dev" });
    expect(service.rows("select test, impressions from counter")).toEqual([{ test: 1, impressions: 1 }]);
  });
});

describe("POST /v1/events with an idempotency key", () => {
  const once = { headers: { "Idempotency-Key": "order-1" } };

  it("D40: is stored once, and answered alike, 50 times at once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => a.report(event, once)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(events(service)).toHaveLength(1);
    expect(service.rows("select impressions from counter")).toEqual([{ impressions: 1 }]);
  });

  it("D40: repeats a refusal too", async () => {
    const body = { ...event, offerId: "offer_paused" };
    const [first, second] = [await a.report(body, once), await a.report(body, once)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.text).toBe(first.text);
    expect(second.json()).toMatchObject({ accepted: false, reason: "paused" });
  });

  it("D40: is refused with another body, and stores nothing then", async () => {
    await a.accept(event, once);
    expect(await codeOf({ ...event, country: "FR" }, once)).toMatchObject({
      status: 422,
      code: "idempotency_mismatch",
    });
    expect(events(service)).toHaveLength(1);
  });

  it("is another event under another API key", async () => {
    const second = await withKey(service);
    const ids = [await a.accept(event, once), await second.accept(event, once)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it("D41: is a new event after 24 hours", async () => {
    const { id } = await a.accept(event, once);
    service.moveClock(24 * hour - 1);
    expect((await a.report(event, once)).json()).toMatchObject({ id });
    service.moveClock(1);
    expect((await a.accept(event, once)).id).not.toBe(id);
    expect(service.rows("select count(*) as n from idempotency")).toEqual([{ n: 1 }]);
  });

  it("forgets keys that are a day old", async () => {
    for (const key of ["1", "2", "3"]) await a.accept(event, { headers: { "Idempotency-Key": key } });
    service.moveClock(24 * hour);
    await a.accept(event, { headers: { "Idempotency-Key": "4" } });
    expect(service.rows("select key from idempotency")).toEqual([{ key: "4" }]);
  });

  it.each<[string, string | string[]]>([
    ["empty", ""],
    ["of 256 characters", "x".repeat(256)],
    ["with a space", "a b"],
    ["with a letter beyond ASCII", "ü"],
    ["given twice", ["a", "b"]],
  ])("is refused with a key that is %s", async (_name, key) => {
    const headers = { "Idempotency-Key": key };
    expect(await codeOf(event, { headers })).toMatchObject({ status: 400, parameters: ["Idempotency-Key"] });
    expect(events(service)).toEqual([]);
  });
});

describe("POST /v1/events with a requestId", () => {
  it("counts once with the embed's, whichever of the two reports it", async () => {
    const { decision, offers } = await service.visit();
    const [offer] = offers;
    const seen = { requestId: decision.requestId, offerId: offer?.id ?? "" };
    await service.post("impression", seen);
    const again = await a.accept({ ...event, ...seen, country: undefined });
    expect(again).toMatchObject({ accepted: false, reason: "duplicate" });
    expect(service.rows("select sum(impressions) as n from counter")).toEqual([{ n: 1 }]);
  });

  it("takes place and traffic from the decision, whatever its body says", async () => {
    const { requestId, offer } = await decided();
    await a.accept({ type: "impression", websiteKey: "ws_a", offerId: offer.id, requestId, country: "FR" });
    expect(events(service).at(-1)).toMatchObject({ type: "impression", country: "DE", reason: null });
  });

  it("needs no served event for the offer that the decision came with, and one for any other", async () => {
    const { requestId, offer } = await decided();
    const base = { websiteKey: "ws_a", requestId };
    expect(await a.accept({ ...base, type: "click", offerId: offer.id })).toMatchObject({ accepted: true });
    const other = { ...base, offerId: "offer_second" };
    expect(await a.accept({ ...other, type: "impression" })).toMatchObject({ reason: "not_served" });
    const next = await decided();
    const served = { websiteKey: "ws_a", requestId: next.requestId, offerId: "offer_second" };
    expect(await a.accept({ ...served, type: "served" })).toMatchObject({ accepted: true });
    expect(await a.accept({ ...served, type: "served" })).toMatchObject({
      accepted: false,
      reason: "duplicate",
    });
    expect(await a.accept({ ...served, type: "impression" })).toMatchObject({ accepted: true });
  });

  it("bills a thousandth impression price once, and no click", async () => {
    const { requestId } = await decided();
    const cpm = { websiteKey: "ws_a", requestId, offerId: "offer_cpm" };
    for (const type of ["served", "impression", "impression", "click"]) await a.accept({ ...cpm, type });
    expect(
      service.rows("select sum(spend_micros) as spend, sum(billable_clicks) as clicks from counter"),
    ).toEqual([{ spend: 1000, clicks: 0 }]);
    expect(service.rows("select kind, micros from ledger_line where micros < 0")).toEqual([
      { kind: "impression", micros: -1000 },
    ]);
  });

  it("is stored as expired when the decision is older than a day", async () => {
    const { requestId, offer } = await decided();
    service.moveClock(24 * hour + 1);
    const late = await a.accept({ type: "click", websiteKey: "ws_a", offerId: offer.id, requestId });
    expect(late).toMatchObject({ accepted: false, reason: "expired" });
  });

  it.each([
    ["of another publisher's website", async () => (await service.decide({ website: "ws_b" })).requestId],
    [
      "of another website of the same publisher",
      async () => (await service.decide({ website: "ws_dev" })).requestId,
    ],
    ["that nobody made", async () => "req_forged"],
  ])("is refused with a requestId %s", async (_name, make) => {
    const requestId = await make();
    const before = events(service).length;
    expect(await codeOf({ ...event, requestId })).toMatchObject({ status: 400, code: "invalid_request_id" });
    expect(events(service)).toHaveLength(before);
  });
});

describe("POST /v1/events while the storage refuses", () => {
  it("D45: answers 503, and the repetition is exactly one event", async () => {
    let isRefusing = true;
    const broken = await startTestService({
      wrapStore: (store) => ({
        ...store,
        ledger: {
          keep: (...given) => store.ledger.keep(...given),
          isFull: () => store.ledger.isFull(),
          append: async (entry) => {
            if (isRefusing && entry.kind === "server_event")
              throw new LedgerUnavailable("the disk is full", 1);
            return store.ledger.append(entry);
          },
        },
      }),
    });
    try {
      const b = await withKey(broken);
      const once = { headers: { "Idempotency-Key": "retry" } };
      const refused = await b.report(event, once);
      expect(refused.status).toBe(503);
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      isRefusing = false;
      const { id } = await b.accept(event, once);
      expect((await b.report(event, once)).json()).toMatchObject({ id });
      expect(events(broken)).toHaveLength(1);
    } finally {
      await broken.close();
    }
  });

  it("D45: turns events away before it reads them when too many wait", async () => {
    const full = await startTestService({
      wrapStore: (store) => ({
        ...store,
        ledger: { keep: store.ledger.keep, append: store.ledger.append, isFull: () => true },
      }),
    });
    try {
      const answer = await full.call("/v1/events", { method: "POST", origin: null, body: "{" });
      expect(answer.status).toBe(503);
      expect(answer.json()).toMatchObject({ code: "overloaded" });
    } finally {
      await full.close();
    }
  });
});
