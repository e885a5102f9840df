import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureColumn } from "../core/figures.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import type { Visit } from "../testing/visitor-journeys.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const markOf = ({ decision, offers }: Visit, count = offers.length) => ({
  requestId: decision.requestId,
  offerIds: offers.slice(0, count).map(({ id }) => id),
});
/** How much each figure grows while something is done. */
const growthIn = async (work: () => Promise<unknown>): Promise<Partial<Record<FigureColumn, number>>> => {
  const before = service.stored.figures();
  await work();
  const after = Object.entries(service.stored.figures()) as [FigureColumn, number][];
  return Object.fromEntries(
    after.map(([name, sum]) => [name, sum - before[name]]).filter(([, more]) => more !== 0),
  );
};
const reasonOfLastClick = () => service.stored.events("click").at(-1)?.reason;

describe("POST /v1/events/drawn", () => {
  it("marks each of the offers once, and moves no other figure", async () => {
    const visit = await service.visit();
    expect(await growthIn(() => service.post("drawn", markOf(visit, 1)))).toEqual({ drawn: 1 });
    const answer = await service.post("drawn", { ...markOf(visit), surface: "overlay" });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(await growthIn(() => service.post("drawn", markOf(visit)))).toEqual({});
    const request = service.stored.events("drawn").at(-1)?.request;
    const marks = service.stored.events("drawn").filter((row) => row.request === request);
    expect(marks.map((row) => row.offer_id)).toEqual(visit.offers.map(({ id }) => id));
    expect(marks.every((row) => row.country === "DE" && row.reason === null)).toBe(true);
  });

  it("passes over what was not handed out", async () => {
    const visit = await service.visit();
    const mark = markOf(visit, 0);
    for (const id of ["offer_second", "offer_unknown"]) {
      const post = () => service.post("drawn", { ...mark, offerIds: [id] });
      expect(await growthIn(post)).toEqual({});
    }
  });

  it("says nothing any more a day after the decision", async () => {
    const visit = await service.visit();
    service.moveClock(24 * 60 * 60 * 1000);
    expect(await growthIn(() => service.post("drawn", markOf(visit)))).toEqual({});
  });

  it("keeps what a development website draws in test traffic", async () => {
    const visit = await service.visit({ website: "ws_dev", origin: "http://localhost:8788" });
    const post = () => service.post("drawn", markOf(visit), { origin: "http://localhost:8788" });
    const before = service.stored.figures({ test: 1 }).drawn;
    expect((await post()).status).toBe(204);
    expect(service.stored.figures({ test: 1 }).drawn - before).toBe(visit.offers.length);
  });

  it("refuses a forged requestId and a mark without offers", async () => {
    const visit = await service.visit();
    const forged = await service.post("drawn", { ...markOf(visit), requestId: "req_forged" });
    expect(forged.json()).toMatchObject({ status: 400, code: "invalid_request_id" });
    const empty = await service.post("drawn", { ...markOf(visit), offerIds: [] });
    expect(empty.json()).toMatchObject({ status: 400, code: "invalid_parameter" });
  });

  it("begins the time in which nobody can have read the offer", async () => {
    const visit = await service.visit();
    const [first, second] = visit.offers;
    // A reader was busy: the offers were handed out long before.
    service.moveClock(60_000);
    await service.post("drawn", { ...markOf(visit), offerIds: [first?.id] });
    service.moveClock(799);
    await service.follow(first?.url ?? "");
    expect(reasonOfLastClick()).toBe("fast_click");
    // Of this one the page has not said so, and what it says later takes nothing back.
    await service.follow(second?.url ?? "");
    expect(reasonOfLastClick()).toBe(null);
  });

  it("lets a click pass that comes later than that", async () => {
    const visit = await service.visit();
    await service.post("drawn", markOf(visit));
    service.moveClock(800);
    await service.follow(visit.offers[0]?.url ?? "");
    expect(reasonOfLastClick()).not.toBe("fast_click");
  });
});
