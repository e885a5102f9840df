import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { relaxedWarning } from "../core/database-settings.ts";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
const well = { isDraining: false, isReady: true, isClockBearable: true };
const life = { ...well, touches: 0 };

beforeAll(async () => {
  service = await startTestService({
    isDraining: () => life.isDraining,
    wrapStore: (store) =>
      new Proxy(store, {
        get: (target, name, receiver) => {
          life.touches += 1;
          if (name === "isReady" || name === "isClockBearable") return () => life[name];
          return Reflect.get(target, name, receiver);
        },
      }),
  });
});
afterAll(() => service.close());

describe("GET /.well-known/gpc.json", () => {
  it("says that the signal is honoured, and since when, to GET and HEAD", async () => {
    const answer = await service.call("/.well-known/gpc.json", { origin: null });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.json()).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    const head = await service.call("/.well-known/gpc.json", { method: "HEAD", origin: null });
    expect([head.status, head.text]).toEqual([200, ""]);
  });
});

describe("/healthz", () => {
  it("says that the process answers, whatever else is wrong, and touches nothing", async () => {
    Object.assign(life, { ...well, isDraining: true, isReady: false, touches: 0 });
    const answer = await service.call("/healthz", { origin: null });
    expect(answer).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(life.touches).toBe(0);
    Object.assign(life, well);
  });
});

describe("/readyz", () => {
  it.each([
    ["a service that is up", {}, null],
    ["one that is about to end", { isDraining: true }, "The service is shutting down."],
    ["one without its database", { isReady: false }, "The service is without its database."],
    [
      "one whose clock is wrong",
      { isClockBearable: false },
      "The service's clock is more than half a minute off its database's.",
    ],
  ])("tells %s from the others", async (_, state, detail) => {
    Object.assign(life, well, state);
    const answer = await service.call("/readyz", { origin: null });
    expect(answer.status).toBe(detail === null ? 200 : 503);
    if (detail !== null) {
      expect(answer.json()).toMatchObject({ code: "unavailable", detail });
      expect(answer.headers["retry-after"]).toBe("1");
    }
    expect(answer.text).not.toMatch(/sqlite|\/tmp|127\.0\.0\.1/i);
    Object.assign(life, well);
  });

  it.each([
    ["of ninety days", "2026-08-22", {}],
    ["of ninety-one", "2026-08-21", { warnings: ["The location data (set) is of 2026-08-21, 91 days old."] }],
  ])("is ready with location data %s, and says when it is old", async (_, date, warned) => {
    const geo = createFixedGeo(undefined, { name: "set", date, version: "1" });
    const other = await startTestService({ geo });
    const answer = await other.call("/readyz", { origin: null });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: "ready", ...warned });
    await other.close();
  });

  it("says what the store's operator should look after, and no word of where it stores", async () => {
    const other = await startTestService({
      wrapStore: (store) => ({ ...store, warnings: () => [relaxedWarning] }),
    });
    const answer = await other.call("/readyz", { origin: null });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: "ready", warnings: [relaxedWarning] });
    expect(answer.text).not.toMatch(/sqlite|postgres/i);
    await other.close();
  });

  it("is not ready while its clock is not set, with which it could serve nobody", async () => {
    const other = await startTestService();
    const now = other.context.clock();
    other.moveClock(Date.UTC(2020, 0, 1) - 1 - now);
    const answer = await other.call("/readyz", { origin: null });
    expect([answer.status, answer.json().detail]).toEqual([503, "The service's clock is not set."]);
    other.moveClock(1);
    expect((await other.call("/readyz", { origin: null })).status).toBe(200);
    await other.close();
  });

  it("says which list of networks is old", async () => {
    const lists = [
      { kind: "datacenter" as const, date: "2025-11-20" },
      { kind: "search_engine" as const, date: "2025-11-19" },
    ];
    const other = await startTestService({ networks: { kindOf: () => null, lists: () => lists } });
    const answer = await other.call("/readyz", { origin: null });
    const warning = "The list of networks (search_engine) is of 2025-11-19, 366 days old.";
    expect(answer.json()).toEqual({ status: "ready", warnings: [warning] });
    await other.close();
  });

  it.each(["/healthz", "/readyz"])("answers HEAD on %s without a body", async (path) => {
    expect(await service.call(path, { method: "HEAD", origin: null })).toMatchObject({
      status: 200,
      text: "",
    });
  });
});
