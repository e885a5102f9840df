import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const quiet = { callsPerSecond: 10_000, busyShare: 0.9, inTurn: 0, underWay: 0 };
/** Entries of the journal that no commit has taken yet: in memory, and on the disk of the spool as well. */
const state = { pressure: quiet, draw: 0, inMemory: 0, spooled: 0, isFull: false };
const load: Partial<Context["load"]> = {
  arrived: () => undefined,
  underWay: () => undefined,
  pressure: () => state.pressure,
  draw: () => state.draw,
  stop: () => undefined,
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    load,
    wrapStore: (store) => ({
      ...store,
      journal: {
        ...store.journal,
        inMemory: () => state.inMemory,
        waiting: () => state.inMemory + state.spooled,
        isFull: () => state.isFull,
      },
    }),
  });
});
beforeEach(() => {
  state.pressure = quiet;
  state.draw = 0;
  state.inMemory = 0;
  state.spooled = 0;
  state.isFull = false;
});
afterAll(() => service.close());

/** In the order of what is given up first. */
const calls: [path: string, method: string][] = [
  ["/v1/reports/aggregate", "GET"],
  ["/docs", "GET"],
  ["/v1/openapi.json", "GET"],
  ["/v1/nothing", "GET"],
  ["/dash/sign-in", "GET"],
  ["/connect/x", "GET"],
  ["/v1/oauth/authorize", "GET"],
  ["/v1/offers", "GET"],
  ["/v1/decision", "GET"],
  ["/v1/widget-decline/session/dcl_x", "GET"],
  ["/embed.js", "GET"],
  ["/v1/events/impression", "POST"],
  ["/v1/events", "POST"],
  ["/v1/r", "GET"],
];

const isOfHop = ([row]: [string, unknown]): boolean => row === "open /v1/r";

const refusedAt = async (inTurn: number): Promise<string[]> => {
  state.pressure = { ...quiet, inTurn };
  const refused: string[] = [];
  for (const [path, method] of calls) {
    const answer = await service.call(path, { method });
    if (answer.status === 503) refused.push(path);
  }
  return refused;
};

describe("a service with too much to do", () => {
  it("turns nothing away before that, and reports, docs, the dashboard, offers, decisions, events and the hop in this order", async () => {
    expect(await refusedAt(0)).toEqual([]);
    const all = calls.map(([path]) => path);
    expect(await refusedAt(330)).toEqual(all.slice(0, 1));
    expect(await refusedAt(440)).toEqual(all.slice(0, 4));
    expect(await refusedAt(500)).toEqual(all.slice(0, 7));
    expect(await refusedAt(570)).toEqual(all.slice(0, 8));
    expect(await refusedAt(650)).toEqual(all.slice(0, 11));
    expect(await refusedAt(730)).toEqual(all.slice(0, 13));
    expect(await refusedAt(810)).toEqual(all);
  });

  it("counts what waits in memory for its commit, and not what an outage of the database has left on the disk", async () => {
    state.inMemory = 35_000;
    expect(await refusedAt(0)).toContain("/v1/decision");
    state.inMemory = 0;
    state.spooled = 1_000_000;
    expect(await refusedAt(0)).toEqual([]);
  });

  it("says when to come back, and the page of a registered origin can read it", async () => {
    state.pressure = { ...quiet, underWay: 20_000 };
    for (const [path, method] of calls) {
      for (const draw of [0, 0.5, 0.9]) {
        state.draw = draw;
        const answer = await service.call(path, { method });
        expect(answer.status).toBe(503);
        expect(answer.json()).toMatchObject({ code: "overloaded", status: 503 });
        expect(answer.headers["retry-after"]).toBe(String(1 + Math.floor(draw * 3)));
        const isOfInterface = path.startsWith("/v1/");
        expect(answer.headers["access-control-allow-origin"]).toBe(
          isOfInterface ? "https://shop-a.example" : undefined,
        );
        expect(answer.headers).toMatchObject({ vary: "Origin", "cache-control": "no-store" });
      }
    }
  });

  it("refuses what is recorded before it reads a body while the journal is full, but for the hop", async () => {
    state.isFull = true;
    const rows: readonly Endpoint[] = endpoints;
    const codes: [string, unknown][] = [];
    for (const { records, group, method, path } of rows) {
      if (!records) continue;
      const answer = await service.call(path, {
        method,
        ...(method === "POST" && { body: "{" }),
        ...(group !== "embed" && { origin: null }),
        ...(group === "server" && { headers: { Authorization: "Bearer of nobody" } }),
      });
      codes.push([`${group} ${path}`, answer.json().code]);
    }
    const [hop, others] = [codes.filter(isOfHop), codes.filter((one) => !isOfHop(one))];
    expect(others.length).toBeGreaterThan(9);
    expect(others.filter(([, code]) => code !== "overloaded")).toEqual([]);
    expect(hop).toEqual([["open /v1/r", "invalid_token"]]);
  });

  it("tells a visitor of the click hop by a page", async () => {
    state.pressure = { ...quiet, underWay: 20_000 };
    const answer = await service.call("/v1/r?t=x", { origin: null, headers: { Accept: "text/html" } });
    expect([answer.status, answer.text.includes("Reload this page")]).toEqual([503, true]);
    expect(answer.headers["referrer-policy"]).toBe("origin");
  });

  it("is alive, and tells whether it is ready, whatever there is to do", async () => {
    state.pressure = { callsPerSecond: 100_000, busyShare: 1, inTurn: 5000, underWay: 100_000 };
    for (const path of ["/healthz", "/readyz"]) expect((await service.call(path)).status).toBe(200);
    expect(endpoints.filter(({ load: kind }) => kind === null).map(({ path }) => path)).toEqual([
      "/healthz",
      "/readyz",
    ]);
  });

  it("counts nothing of what it turns away", async () => {
    state.pressure = { ...quiet, underWay: 20_000 };
    await service.call("/v1/decision?pub=pub_a&website=ws_a");
    expect(service.stored.events()).toEqual([]);
  });
});
