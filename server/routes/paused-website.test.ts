import { afterAll, beforeAll, expect, it } from "vitest";
import { setWebsitePaused } from "../store/catalogue/websites.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const pause = (isPaused: boolean) => service.change((db) => setWebsitePaused(db, "ws_a", isPaused));

it("is answered as if every visitor were allowed, counts nobody, and goes on when it is resumed", async () => {
  const before = await service.visit();
  expect([before.decision.allowed, before.offers.length > 0]).toEqual([false, true]);
  const blocked = () => service.stored.figures().blocked;
  const counted = blocked();
  await pause(true);
  const paused = await service.visit();
  expect(paused.decision).toMatchObject({ allowed: true, country: "DE" });
  expect(paused.decision).not.toHaveProperty("blocked");
  expect(paused.answer).toMatchObject({ premium: [], standard: [], emptyReason: "visitor_allowed" });
  expect((await service.visit({ query: "&mode=section" })).offers).toEqual([]);
  const key = await withKey(service);
  const told = await key.get("/v1/decision?website=ws_a&ip=203.0.113.7");
  expect(told.json()).toMatchObject({ decision: "pass_through" });
  expect(told.json()).not.toHaveProperty("offer");
  expect(blocked()).toBe(counted);
  expect((await service.decide({ website: "ws_b" })).allowed).toBe(false);
  await pause(false);
  expect((await service.visit()).offers.length).toBeGreaterThan(0);
});

it("counts nobody as blocked who is declined meanwhile, and shows them nothing", async () => {
  const declines = await withSecret(service);
  const counted = () => service.stored.figures().blocked;
  const before = counted();
  const { sessionId } = await declines.open();
  await pause(true);
  expect((await declines.trigger({ sessionId })).status).toBe(200);
  expect(counted()).toBe(before);
  const state = await declines.stateOf(sessionId);
  const { requestId = "" } = state.status === "ready" ? state : {};
  const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE`;
  expect((await service.call(path)).json()).toMatchObject({ emptyReason: "visitor_allowed" });
  await pause(false);
  expect((await declines.decline()).answer.emptyReason).toBeNull();
  expect(counted()).toBe(before + 1);
});

it("hands nothing out to a visitor who was blocked before", async () => {
  const { requestId } = await service.decide();
  const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE`;
  await pause(true);
  expect((await service.call(path)).json()).toMatchObject({ emptyReason: "visitor_allowed" });
  await pause(false);
});
