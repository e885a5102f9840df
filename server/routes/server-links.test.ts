import type { RequestId } from "@offers/contract/ids";
import { serverOffersAnswer } from "@offers/contract/server-offers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { setOfferStatus, updateOffer } from "../store/catalogue/offers.ts";
import { newJersey } from "../testing/call.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { rules } from "../testing/fixture.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { readingMs } from "../testing/visitor-journeys.ts";
import { linksOf } from "./handed-out.ts";

let service: TestService;
let a: KeyCalls;
let b: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  b = await withKey(service, { publisherId: "publisher_b" });
});
afterAll(() => service.close());

/** Somebody new at each call, whom their server names. */
let visitors = 0;
const decide = async (ip?: string) => {
  visitors += 1;
  const named = ip ?? `203.0.113.${visitors}`;
  const answer = await a.get(`/v1/decision?website=ws_a&ip=${named}`);
  return { ip: named, ...answer.json<{ requestId: string; offer?: { id: string; url: string } }>() };
};
const listed = async (query: string, by = a) => {
  const answer = await by.get(`/v1/offers?${query}`);
  if (answer.status !== 200) throw new Error(`no offers: ${answer.status} ${answer.text}`);
  return serverOffersAnswer.strict().parse(answer.json());
};
const linkOf = ({ items }: Awaited<ReturnType<typeof listed>>, id: string): string =>
  items.find((item) => item.id === id)?.url ?? "";
const clickFrom = (url: string, ip: string) => {
  service.moveClock(readingMs);
  return service.follow(url, { from: ip });
};
/** The clicks of the visit that clicked last. */
const lastClicks = () => {
  const clicks = service.stored.events("click");
  return clicks.filter(({ request }) => request === clicks.at(-1)?.request);
};

it("each offer of a visit has a link of its own, and one of no visit has none", async () => {
  const { requestId } = await decide();
  const { items, total } = await listed(`requestId=${requestId}`);
  expect(total).toBeGreaterThan(3);
  const links = items.map(({ url }) => url ?? "");
  expect(new Set(links).size).toBe(items.length);
  for (const link of links) expect(link).toMatch(/^https?:\/\/[^/]+\/v1\/r\?t=[\w-]+$/);
  const without = await listed("website=ws_a&country=DE");
  expect(without.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
  expect(without.items.some((item) => "url" in item)).toBe(false);
});

it("a list counts nothing, and a click on one of its links bills the price of then, once", async () => {
  const before = service.stored.figures();
  const { requestId, ip } = await decide();
  const list = await listed(`requestId=${requestId}`);
  await service.change((db) => updateOffer(db, "offer_world", { payoutMicros: 999_000 }, rules));
  const again = await listed(`requestId=${requestId}`);
  expect(service.stored.figures()).toEqual({ ...before, blocked: before.blocked + 1 });
  expect((await clickFrom(linkOf(again, "offer_world"), ip)).status).toBe(302);
  expect((await clickFrom(linkOf(list, "offer_world"), ip)).status).toBe(302);
  const clicks = lastClicks();
  expect(clicks.map(({ reason }) => reason)).toEqual([null, "duplicate"]);
  expect(clicks[0]).toMatchObject({ offer_id: "offer_world", placement: "section" });
  expect(clicks[0]?.billed_micros).not.toBe(999_000);
  expect(clicks[0]?.billed_micros).toBeGreaterThan(0);
});

it("what the server says it served of the list counts once", async () => {
  const { requestId } = await decide();
  await listed(`requestId=${requestId}`);
  const served = (offerId: string) =>
    a.accept({ type: "served", websiteKey: "ws_a", offerId, requestId }).then(({ accepted }) => accepted);
  expect([await served("offer_second"), await served("offer_second")]).toEqual([true, false]);
  expect(await served("offer_french")).toBe(false);
  const impression = { type: "impression", websiteKey: "ws_a", offerId: "offer_second", requestId };
  expect((await a.accept(impression)).accepted).toBe(true);
});

it("the page before a list of many pages is as good as those behind", async () => {
  const { requestId, ip } = await decide();
  const all = await listed(`requestId=${requestId}`);
  const pages = [];
  for (let page = 1; page <= all.total; page += 1) {
    pages.push(...(await listed(`requestId=${requestId}&page=${page}&pageSize=1`)).items);
  }
  expect(pages.map(({ id }) => id)).toEqual(all.items.map(({ id }) => id));
  await clickFrom(pages.at(-1)?.url ?? "", ip);
  expect(lastClicks()).toMatchObject([{ reason: null }]);
});

it("the decision's own offer keeps its price, and both of its links are one click", async () => {
  const { requestId, ip, offer } = await decide();
  const link = linkOf(await listed(`requestId=${requestId}`), offer?.id ?? "");
  await clickFrom(offer?.url ?? "", ip);
  await clickFrom(link, ip);
  const clicks = lastClicks();
  expect(clicks.map(({ reason }) => reason)).toEqual([null, "duplicate"]);
});

it("the list is of the decision's place, whatever else is named", async () => {
  const { requestId } = await decide();
  const plain = await listed(`requestId=${requestId}`);
  expect(await listed(`requestId=${requestId}&country=FR`)).toMatchObject({ total: plain.total });
  const travel = await listed(`requestId=${requestId}&brand=World`);
  expect(travel.items.map(({ brand }) => brand)).toEqual(["World"]);
});

it("a visitor who was let through is listed nothing", async () => {
  const { requestId } = await decide(newJersey);
  expect(await listed(`requestId=${requestId}`)).toMatchObject({ items: [], total: 0 });
});

it("what a decline withholds is not in the list", async () => {
  const { open, poll, trigger } = await withSecret(service);
  const ofDecline = async (said: object) => {
    const session = await open();
    await trigger({ ...session, ...said });
    const { requestId } = (await poll(session.sessionId)).json<{ requestId: string }>();
    return listed(`requestId=${requestId}`);
  };
  expect((await ofDecline({})).items.length).toBeGreaterThan(0);
  // All of them are games.
  expect(await ofDecline({ suppressVerticals: ["games"] })).toMatchObject({ items: [], total: 0 });
});

it("an explanation tells the offers of the list, and a paused one leaves it", async () => {
  const { requestId } = await decide();
  const list = await listed(`requestId=${requestId}`);
  const { served, events } = (await a.get(`/v1/explain?requestId=${requestId}`)).json<{
    served: { offerId: string; placement: string }[];
    events: { type: string }[];
  }>();
  expect(served.map(({ offerId }) => offerId).toSorted()).toEqual(list.items.map(({ id }) => id).toSorted());
  expect(events.map(({ type }) => type)).toEqual(["blocked"]);
  await service.change((db) => setOfferStatus(db, "offer_world", "paused"));
  expect(linkOf(await listed(`requestId=${requestId}`), "offer_world")).toBe("");
  await service.change((db) => setOfferStatus(db, "offer_world", "active"));
});

it("a requestId that is old, forged, of another website or of another publisher lists nothing", async () => {
  const { requestId } = await decide();
  const codeOf = async (query: string, by = a) => {
    const answer = await by.get(`/v1/offers?${query}`);
    return `${answer.status} ${answer.json<{ code: string }>().code}`;
  };
  const forged = `req_${"A".repeat(requestId.length - 4)}`;
  expect(await codeOf(`requestId=${forged}`)).toBe("400 invalid_request_id");
  expect(await codeOf(`requestId=${requestId}`, b)).toBe("400 invalid_request_id");
  expect(await codeOf(`requestId=${requestId}&website=ws_b`)).toBe("404 not_found");
  const dev = await a.get("/v1/decision?website=ws_dev&ip=203.0.113.200");
  expect(await codeOf(`requestId=${dev.json<{ requestId: string }>().requestId}&website=ws_a`)).toBe(
    "400 invalid_request_id",
  );
  service.moveClock(31 * 60_000);
  expect(await codeOf(`requestId=${requestId}`)).toBe("410 request_expired");
});

it("has a link for whatever stands at a place that no link has room for", async () => {
  const { requestId } = await decide();
  const offer = service.context.store.catalogue().offer("offer_premium");
  if (offer === undefined) throw new Error("no offer");
  const linkAt = linksOf(service.context, requestId as RequestId, 1);
  expect(linkAt({ offer, placement: "section", position: 70_000 })).toMatch(/\/v1\/r\?t=[\w-]{40,}$/);
});
