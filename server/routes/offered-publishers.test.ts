import type { DashOffers } from "@offers/contract/dash/looking";
import type { AllowlistAnswer } from "@offers/contract/dash/websites";
import type { ExplainAnswer } from "@offers/contract/explain";
import type { ServerDecisionAnswer } from "@offers/contract/server-decision";
import type { ServerOffersAnswer } from "@offers/contract/server-offers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { updateOffer } from "../store/catalogue/offers.ts";
import { type DashCalls, signedIn } from "../testing/dash-calls.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

/** The offer that is kept from publisher A. */
const id = "offer_best";

let service: TestService;
let a: KeyCalls;
let b: KeyCalls;
let editor: DashCalls;
let operator: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  b = await withKey(service, { publisherId: "publisher_b" });
  editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
  operator = await signedIn(service, { isOperator: true });
});
afterAll(() => service.close());

const offer = (patch: object) => service.change((db) => updateOffer(db, id, patch, fewPlaces));
beforeEach(() => offer({ onlyPublishers: [], exceptPublishers: [] }));

let visitors = 0;
const someone = () => {
  visitors += 1;
  return `203.0.113.${visitors}`;
};
const siteOfB = { website: "ws_b", origin: "https://shop-b.example", pub: "pub_b" };
const handed = async (visited: object = {}): Promise<boolean> =>
  (await service.visit({ from: someone(), ...visited })).offers.some((one) => one.id === id);
const listed = async (key: KeyCalls): Promise<boolean> =>
  (await key.get("/v1/offers?country=DE&pageSize=100"))
    .json<ServerOffersAnswer>()
    .items.some((one) => one.id === id);
const dash = "/dash/api/publishers/publisher_a";

test.each([
  ["that others alone may show", { onlyPublishers: ["publisher_b"] }],
  ["that it may not show", { exceptPublishers: ["publisher_a"] }],
])("no page, server or decline of a publisher is handed an offer %s, and others are", async (_, patch) => {
  expect([await handed(), await handed(siteOfB), await listed(a), await listed(b)]).toEqual(
    Array(4).fill(true),
  );
  await offer(patch);
  expect([await handed(), await handed(siteOfB), await listed(a), await listed(b)]).toEqual([
    ...[false, true, false, true],
  ]);
  const decline = await withSecret(service);
  const { answer } = await decline.decline({}, { from: someone() });
  expect([...answer.premium, ...answer.standard].map((one) => one.id)).not.toContain(id);
  expect(answer.emptyReason).toBeNull();
});

test("a decision for a server has another offer, or none", async () => {
  const everything = ["premium", "best", "second", "cpm", "once", "lead", "world"];
  const keptAway = (exceptPublishers: string[]) =>
    service.change(async (db) => {
      for (const name of everything) await updateOffer(db, `offer_${name}`, { exceptPublishers }, fewPlaces);
    });
  const decided = async () =>
    (await a.get(`/v1/decision?website=ws_a&ip=${someone()}`)).json<ServerDecisionAnswer>();
  await keptAway(["publisher_a"]);
  const none = await decided();
  await keptAway([]);
  expect(none).toMatchObject({ decision: "serve_overlay" });
  expect(none.offer).toBeUndefined();
  expect((await decided()).offer).toBeDefined();
});

test("a click on what was handed out before takes its visitor on, and is not billed", async () => {
  const from = someone();
  const visit = await service.visit({ from });
  const url = visit.offers.find((one) => one.id === id)?.url ?? "";
  await offer({ exceptPublishers: ["publisher_a"] });
  const hop = await service.follow(url, { from });
  expect(hop.status).toBe(302);
  expect(hop.headers.location).toMatch(/^https:\/\/brand\.example\/land/);
  expect(service.stored.events("click").at(-1)).toMatchObject({
    reason: "not_permitted",
    billed_micros: null,
  });
  const reported = await a.accept({ type: "impression", websiteKey: "ws_a", offerId: id });
  expect(reported).toMatchObject({ accepted: false, reason: "not_permitted" });
  const told = (await a.get(`/v1/explain?requestId=${visit.decision.requestId}`)).json<ExplainAnswer>();
  expect(told.served.map(({ offerId }) => offerId)).toContain(id);
  expect(told.offers.find(({ offerId }) => offerId === id)).toMatchObject({
    ...{ rank: null, removedBy: "not_offered" },
  });
});

test("a visit that was not handed it is explained without it to its publisher, whatever rule removes it first, and with it to an operator", async () => {
  await offer({ onlyPublishers: ["publisher_b"] });
  const { decision } = await service.visit({ from: someone() });
  const asked = `/explain?requestId=${decision.requestId}`;
  const publishers = async () => [await a.get(`/v1${asked}`), await editor.get(`${dash}${asked}`)];
  for (const answer of await publishers()) {
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(`"${id}"`);
    const { offers, considered, removed } = answer.json<ExplainAnswer>();
    expect(offers).toHaveLength(considered + removed);
  }
  const toldOperator = (await operator.get(`${dash}${asked}`)).json<ExplainAnswer>();
  expect(toldOperator.offers.find(({ offerId }) => offerId === id)?.removedBy).toBe("not_offered");
  await offer({ paused: true });
  for (const answer of await publishers()) expect(answer.text).not.toContain(`"${id}"`);
  await offer({ paused: false });
});

test("a publisher is not shown what it cannot choose, and can lift nothing", async () => {
  await offer({ onlyPublishers: ["publisher_b"] });
  const list = `${dash}/websites/ws_a/allowlist`;
  const names = { brands: ["Best"], verticals: [], offers: [id] };
  const body = { mode: "allowlist", allow: names, block: {} };
  const saved = await editor.change("PUT", list, body);
  expect(saved.status, saved.text).toBe(200);
  expect(saved.json()).toMatchObject({ count: { active: 7, permitted: 0 } });
  await service.change(async () => undefined);
  expect(await handed()).toBe(false);
  const { verticals, count } = (await editor.get(list)).json<AllowlistAnswer>();
  const choices = verticals.flatMap(({ brands }) => brands.flatMap(({ offers }) => offers));
  expect(choices.map(({ offerId }) => offerId)).not.toContain(id);
  expect(choices).toHaveLength(count.active);
  const { items } = (await editor.get(`${dash}/offers?pageSize=100`)).json<DashOffers>();
  expect(items.map(({ offerId }) => offerId)).not.toContain(id);
  const simulated = await editor.get(`${dash}/websites/ws_a/simulate?country=DE`);
  expect(simulated.text).not.toContain(`"${id}"`);
  const asOperator = await operator.get(`${dash}/websites/ws_a/simulate?country=DE`);
  expect(asOperator.json()).toMatchObject({
    offers: expect.arrayContaining([expect.objectContaining({ offerId: id, removedBy: "not_offered" })]),
  });
  for (const answer of [await editor.get(list), simulated]) {
    expect(answer.text).not.toMatch(/publisher_b|Publisher b|onlyPublishers|exceptPublishers/);
  }
  await editor.change("PUT", list, { mode: "all", allow: {}, block: {} });
});
