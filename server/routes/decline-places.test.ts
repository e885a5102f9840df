import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mostSessions } from "../core/decline-session.ts";
import { opening, sessionOf } from "../store/conformance/sessions-for-tests.ts";
import { type DeclineCalls, withSecret } from "../testing/decline-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: DeclineCalls;
let b: DeclineCalls;
const { ofWebsite } = mostSessions;
/** Places that are left for the tests themselves. */
const free = 20;
beforeAll(async () => {
  service = await startTestService();
  a = await withSecret(service);
  b = await withSecret(service, { website: "ws_b", pub: "pub_b", origin: "https://shop-b.example" });
}, 60_000);
afterAll(() => service.close());

/** As many waiting sessions of website A, each from a network of its own, as leave `free` places. */
const fill = async () => {
  await service.empty(["decline_session"]);
  const { id } = service.context.store.catalogue().website("ws_a") ?? { id: 0 };
  const count = ofWebsite - free;
  for (let from = 0; from < count; from += 2000) {
    await Promise.all(
      Array.from({ length: Math.min(2000, count - from) }, (_, at) =>
        service.context.store.journal.append(
          opening({ ...sessionOf(from + at, service.context.clock()), websiteId: id }, from + at),
        ),
      ),
    );
  }
  expect(kept()).toBe(count);
};
const kept = () => service.stored.sessions().length;
const statusOf = async (calls: DeclineCalls, sessionId: string) => (await calls.poll(sessionId)).status;
const stands = (number: number) => service.stored.sessions(sessionOf(number).sessionId).length === 1;

describe("a website that has taken all its places for decline sessions", () => {
  it("closes the flow for nobody: others open as ever, and its own next visitor takes the oldest one's place", async () => {
    await fill();
    for (let at = 0; at < free; at += 1) await a.open({ from: `203.0.113.${at}` });
    expect(kept()).toBe(ofWebsite);
    const next = await a.open({ from: "203.0.113.100" });
    const other = await b.open();
    expect((await a.stateOf(next.sessionId)).status).toBe("pending");
    expect((await b.stateOf(other.sessionId)).status).toBe("pending");
    expect(kept()).toBe(ofWebsite + 1);
    expect([stands(0), stands(1)]).toEqual([false, true]);
  }, 60_000);

  it("drives a flood out of one network out by itself, whichever of its addresses it comes from", async () => {
    await fill();
    const honest = await a.open({ from: "203.0.113.7" });
    const early = await a.open({ from: "2001:db8:1:1::1" });
    for (let at = 0; at < 200; at += 1) await a.open({ from: `2001:db8:1:${at.toString(16)}::${at}` });
    expect(kept()).toBe(ofWebsite);
    expect(await statusOf(a, early.sessionId)).toBe(404);
    expect(await statusOf(a, honest.sessionId)).toBe(200);
    expect([stands(0), stands(1)]).toEqual([true, true]);
    const neighbour = await a.open({ from: "2001:db8:2:1::1" });
    expect(await statusOf(a, neighbour.sessionId)).toBe(200);
    expect([stands(0), stands(1)]).toEqual([false, true]);
  }, 60_000);

  it("lets no ready session go, and answers for one that has gone as for one that never was", async () => {
    await fill();
    const flood = { from: "198.51.100.77" };
    const [ready, gone] = [await a.open(flood), await a.open(flood)];
    await a.trigger({ sessionId: ready.sessionId });
    for (let at = 0; at < 100; at += 1) await a.open(flood);
    const state = await a.stateOf(ready.sessionId);
    expect(state).toMatchObject({ status: "ready", requestId: expect.stringMatching(/^req_/) });
    const polls = [await a.poll(gone.sessionId), await a.poll("dcl_never")];
    expect(polls.map(({ status }) => status)).toEqual([404, 404]);
    expect(polls[0]?.alike).toBe(polls[1]?.alike);
    const triggers = [
      await a.trigger({ sessionId: gone.sessionId }),
      await a.trigger({ sessionId: "dcl_never" }),
    ];
    expect(triggers.map(({ status }) => status)).toEqual([404, 404]);
    expect(triggers[0]?.alike).toBe(triggers[1]?.alike);
    expect(kept()).toBe(ofWebsite);
  }, 60_000);
});

it("what is kept of an opener's network is one name for all its addresses, no address, and nothing once it is declined", async () => {
  await service.empty(["decline_session"]);
  const openerOf = ({ sessionId }: { sessionId: string }) => service.stored.sessions(sessionId)[0]?.opener;
  const one = await a.open({ from: "2001:db8:7:1::1" });
  const same = await a.open({ from: "2001:db8:7:2::2", headers: { "Sec-GPC": "1" } });
  const other = await a.open({ from: "2001:db8:8:1::1" });
  expect(openerOf(one)).toHaveLength(12);
  expect(openerOf(one)).toEqual(openerOf(same));
  expect(openerOf(one)).not.toEqual(openerOf(other));
  const again = await startTestService({ copyOf: service });
  const later = await withSecret(again);
  const { sessionId } = await later.open({ from: "2001:db8:7:1::1" });
  expect(again.stored.sessions(sessionId)[0]?.opener).not.toEqual(openerOf(one));
  await again.close();
  await a.trigger({ sessionId: one.sessionId });
  expect(openerOf(one)).toBeNull();
});
