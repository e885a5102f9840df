import { rateLimits as limits } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { recount } from "../store/books/recount.ts";
import { type DeclineCalls, withSecret } from "../testing/decline-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: DeclineCalls;
let b: DeclineCalls;
let rateLimits: RateLimits = createRateLimits(1000);
beforeAll(async () => {
  service = await startTestService({ rateLimits: { take: (name, key) => rateLimits.take(name, key) } });
  a = await withSecret(service);
  b = await withSecret(service, { website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" });
});
afterAll(() => service.close());

const blockedOn = (surface: string) => service.stored.figures({ surface }).blocked;
const rowOf = (sessionId: string) =>
  service.stored
    .sessions(sessionId)
    .map(({ ready_at, reason, suppression_json }) => ({ ready_at, reason, suppression_json }))[0];

describe("POST /v1/widget-decline/trigger", () => {
  it("makes a session ready and counts its visit as blocked, on the decline surface and the website's vertical", async () => {
    const { sessionId } = await a.open();
    const [declined, overlay] = [blockedOn("decline"), blockedOn("overlay")];
    const answer = await a.trigger({ sessionId });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ sessionId, status: "ready" });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect((await a.stateOf(sessionId)).status).toBe("ready");
    expect([blockedOn("decline"), blockedOn("overlay")]).toEqual([declined + 1, overlay]);
    const event = service.stored.events("blocked").at(-1);
    expect(event).toMatchObject({
      surface: "decline",
      vertical: "news",
      country: "DE",
      test: 0,
      at: service.context.clock(),
    });
    expect((await recount(service.catalogue.db)).differences).toEqual([]);
  });

  it("again is the same 200 and no second transition, one after the other or all at once", async () => {
    const { sessionId } = await a.open();
    const before = blockedOn("decline");
    const first = await a.trigger({ sessionId, reason: "declined" });
    const ready = rowOf(sessionId);
    expect(ready).toEqual({ ready_at: service.context.clock(), reason: null, suppression_json: null });
    service.moveClock(1000);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => a.trigger({ sessionId, reason: "underage" })),
    );
    for (const { status, text } of again) expect([status, text]).toEqual([200, first.text]);
    expect(rowOf(sessionId)).toEqual(ready);
    expect(blockedOn("decline")).toBe(before + 1);
  });

  it("keeps what its reason comes to, and the reason nowhere", async () => {
    const { sessionId } = await a.open();
    await a.trigger({ sessionId, reason: "Self-Excluded" });
    expect(rowOf(sessionId)).toMatchObject({
      reason: null,
      suppression_json: JSON.stringify({ vulnerable: true, names: [] }),
    });
  });

  it.each([
    ["suppress_verticals", "suppressVerticals"],
    ["SuppressVerticals", "suppressVerticals"],
    ["verticals", "suppressVerticals"],
    ["decline_reason", "reason"],
  ])("with %s in place of %s is 400, and the session waits on for a good one", async (member, meant) => {
    const { sessionId } = await a.open();
    const refused = await a.trigger({ sessionId, [member]: "underage" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(`it is ${meant}`)]);
    expect((await a.trigger({ sessionId, note: "theirs" })).status).toBe(200);
  });

  it("after the expiry is 410; the poll says expired, and never ready again", async () => {
    const [waiting, ready] = [await a.open(), await a.open()];
    await a.trigger({ sessionId: ready.sessionId });
    service.moveClock(900_000);
    const before = blockedOn("decline");
    for (const { sessionId } of [waiting, ready]) {
      const answer = await a.trigger({ sessionId });
      expect(answer.status).toBe(410);
      expect(answer.json()).toMatchObject({ code: "session_expired" });
      expect((await a.stateOf(sessionId)).status).toBe("expired");
    }
    service.moveClock(60_000);
    expect((await a.stateOf(ready.sessionId)).status).toBe("expired");
    expect(rowOf(waiting.sessionId)?.ready_at).toBeNull();
    expect(blockedOn("decline")).toBe(before);
  });

  it("races the expiry 200 times, from 50 ms before to 50 ms after, and leaves exactly one end each", async () => {
    const opened = await Promise.all(Array.from({ length: 200 }, () => a.open()));
    service.moveClock(900_000 - 50);
    const before = blockedOn("decline");
    const answers: ReturnType<DeclineCalls["trigger"]>[] = [];
    const polls: ReturnType<DeclineCalls["poll"]>[] = [];
    for (const [number, { sessionId }] of opened.entries()) {
      answers.push(a.trigger({ sessionId }));
      polls.push(a.poll(sessionId));
      await new Promise(setImmediate);
      if (number % 2 === 1) service.moveClock(1);
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect((await Promise.all(polls)).every(({ status }) => status === 200)).toBe(true);
    service.moveClock(1000);
    for (const [number, { sessionId, expiresAt }] of opened.entries()) {
      const readyAt = rowOf(sessionId)?.ready_at;
      if (statuses[number] === 200) expect(Number(readyAt)).toBeLessThan(Date.parse(expiresAt));
      else expect([statuses[number], readyAt]).toEqual([410, null]);
      expect((await a.stateOf(sessionId)).status).toBe("expired");
    }
    expect(new Set(statuses)).toEqual(new Set([200, 410]));
    expect(blockedOn("decline") - before).toBe(statuses.filter((status) => status === 200).length);
    expect((await recount(service.catalogue.db)).differences).toEqual([]);
  });

  it("is 410 for the website that opened it alone: to another an expired one is as unknown as any", async () => {
    const { sessionId } = await a.open();
    service.moveClock(900_000);
    expect((await b.trigger({ sessionId })).status).toBe(404);
  });

  it.each([
    ["no sessionId", {}, "missing_parameter"],
    ["an id of another kind", { sessionId: "req_1" }, "invalid_parameter"],
    ["a number as the reason", { reason: 1 }, "invalid_parameter"],
    ["an endless reason", { reason: "x".repeat(65) }, "invalid_parameter"],
    ["a blank reason", { reason: " " }, "invalid_parameter"],
    ["verticals that are no list", { suppressVerticals: "loans" }, "invalid_parameter"],
    ["a vertical that is none", { suppressVerticals: ["Pay day!"] }, "invalid_parameter"],
    ["21 verticals", { suppressVerticals: Array(21).fill("loans") }, "invalid_parameter"],
  ])("with %s is 400 and changes nothing", async (_, body, code) => {
    const { sessionId } = await a.open();
    const answer = await a.trigger(
      "sessionId" in body || code === "missing_parameter" ? body : { sessionId, ...body },
    );
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code });
    expect((await a.stateOf(sessionId)).status).toBe("pending");
  });

  it.each([
    ["text/plain", "{}", 415],
    ["application/json", "no JSON", 400],
    ["application/json", "[]", 400],
    ["application/json", "x".repeat(17 * 1024), 413],
  ])("wants one JSON object of at most 16 KiB, not %s %.9s", async (type, body, status) => {
    const headers = { Authorization: `Bearer ${a.secret.secret}`, "Content-Type": type };
    expect((await a.trigger(body, { headers })).status).toBe(status);
  });

  it("limits each secret to 120 a minute, from wherever it is used", async () => {
    const { sessionId } = await a.open();
    rateLimits = createRateLimits(1);
    const statuses = [];
    for (let time = 0; time < limits.trigger; time += 1) {
      statuses.push((await a.trigger({ sessionId }, { from: `203.0.113.${time}` })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await a.trigger({ sessionId });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await b.trigger({ sessionId })).status).toBe(404);
    rateLimits = createRateLimits(1000);
  });

  it("on a development website makes test traffic", async () => {
    const dev = await withSecret(service, { website: "ws_dev", origin: "https://dev.shop-a.example" });
    const { sessionId } = await dev.open({ query: "&dev-country=FR" });
    await dev.trigger({ sessionId });
    const event = service.stored.events("blocked").at(-1);
    expect(event).toMatchObject({ test: 1, country: "FR", surface: "decline" });
  });
});
