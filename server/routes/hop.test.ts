import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { setOfferStatus } from "../store/catalogue/offers.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import { newJersey, nowhere } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import { readingMs } from "../testing/visitor-journeys.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const dayMs = 24 * 60 * 60 * 1000;

const navigation = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const clicks = () => service.stored.events("click");
const lastClick = () => clicks().at(-1);
const spent = () =>
  service.stored
    .table("ledger_line")
    .filter(({ kind }) => kind === "click")
    .reduce((total, { micros }) => total - Number(micros), 0);

/** The visitors come from addresses of their own, or the second would be the first one's duplicate. */
let visitors = 0;
const visitNew = async () => {
  visitors += 1;
  const from = `203.0.113.${visitors}`;
  const visit = await service.visit({ from });
  const linkTo = (offerId: string) => visit.offers.find(({ id }) => id === offerId)?.url ?? "";
  return { ...visit, from, linkTo };
};

describe("GET /v1/r", () => {
  it("takes the visitor to the advertiser and bills the click before it answers", async () => {
    const { decision, linkTo, from } = await visitNew();
    const before = Number(spent());
    const answer = await service.follow(linkTo("offer_premium"), { from });
    expect(answer).toMatchObject({ status: 302, text: "" });
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "origin",
      "x-robots-tag": "noindex",
    });
    const landing = new URL(answer.headers.location ?? "");
    expect(landing.origin + landing.pathname).toBe("https://brand.example/land");
    expect(Object.fromEntries(landing.searchParams)).toEqual({
      c: lastClick()?.click_id,
      r: decision.requestId,
      o: "offer_premium",
      u: "publisher_a",
      w: "ws_a",
      s: "overlay",
      p: "premium",
    });
    expect(lastClick()).toMatchObject({ billed_micros: 500_000, reason: null, mark: null });
    expect(spent()).toBe(before + 500_000);
  });

  it("bills one link once, and takes every later click to the advertiser too", async () => {
    const { linkTo, from } = await visitNew();
    const before = Number(spent());
    for (let time = 0; time < 3; time += 1) {
      expect((await service.follow(linkTo("offer_best"), { from })).status).toBe(302);
    }
    expect(spent()).toBe(before + 400_000);
    expect(lastClick()).toMatchObject({ reason: "duplicate", billed_micros: null });
  });

  it("bills the clicks of one address that wants no hash once an offer, and stores no hash", async () => {
    const from = "203.0.113.250";
    const headers = { "Sec-GPC": "1" };
    const known = service.stored.table("billed_click").length;
    const networks = service.stored.table("billed_network").length;
    const before = Number(spent());
    for (let time = 0; time < 3; time += 1) {
      const { offers } = await service.visit({ from, headers });
      const url = offers.find(({ id }) => id === "offer_best")?.url ?? "";
      expect((await service.follow(url, { from, headers })).status).toBe(302);
    }
    expect(spent()).toBe(before + 400_000);
    expect(lastClick()).toMatchObject({ reason: "rate", billed_micros: null });
    expect(service.stored.table("billed_click").length).toBe(known);
    expect(service.stored.table("billed_network").length).toBe(networks + 1);
  });

  it("bills a visitor's second click on an offer within a day not at all", async () => {
    const { linkTo, from } = await visitNew();
    await service.follow(linkTo("offer_best"), { from });
    const second = await service.visit({ from });
    const link = second.offers.find(({ id }) => id === "offer_best")?.url ?? "";
    expect((await service.follow(link, { from })).status).toBe(302);
    expect(lastClick()).toMatchObject({ reason: "duplicate", billed_micros: null });
  });

  it("makes one click of a beacon and its hop", async () => {
    const { decision, linkTo, from } = await visitNew();
    const before = clicks().length;
    const body = { requestId: decision.requestId, offerId: "offer_best" };
    await service.post("click", body, { from });
    await service.follow(linkTo("offer_best"), { from });
    expect(clicks().length).toBe(before + 1);
    expect(lastClick()).toMatchObject({ billed_micros: 400_000, reason: null });
  });

  it("spends a budget to its end and not beyond", async () => {
    const [first, second] = [await visitNew(), await visitNew()];
    expect((await service.follow(first.linkTo("offer_once"), { from: first.from })).status).toBe(302);
    expect(lastClick()).toMatchObject({ billed_micros: 300_000 });
    expect((await service.follow(second.linkTo("offer_once"), { from: second.from })).status).toBe(302);
    expect(lastClick()).toMatchObject({ billed_micros: null, reason: "budget_exhausted" });
  });

  it("looks the destination up, whatever else stands in the query", async () => {
    const { linkTo, from } = await visitNew();
    const evil =
      "&url=https://evil.example&redirect=//evil.example&next=javascript:alert(1)&url=x%0d%0aSet-Cookie:a=b";
    const answer = await service.follow(linkTo("offer_premium") + evil, { from });
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toMatch(/^https:\/\/brand\.example\/land\?/);
    expect(answer.headers.location).not.toContain("evil");
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });

  it.each([
    ["just after the day is over", dayMs - readingMs + 1, "expired"],
    ["at the last moment of its day", dayMs - readingMs, null],
  ])("takes a click %s to the advertiser: %s", async (_, later, reason) => {
    const { linkTo, from } = await visitNew();
    service.moveClock(later);
    expect((await service.follow(linkTo("offer_premium"), { from })).status).toBe(302);
    expect(lastClick()?.reason).toBe(reason);
    service.moveClock(-later);
  });

  it("locates the address again, and bills no click from where the offer is not", async () => {
    const { linkTo } = await visitNew();
    expect((await service.follow(linkTo("offer_premium"), { from: newJersey })).status).toBe(302);
    expect(lastClick()).toMatchObject({ reason: "geo_mismatch", billed_micros: null, country: "DE" });
  });

  it("holds an address that cannot be located against no click", async () => {
    const { linkTo } = await visitNew();
    await service.follow(linkTo("offer_premium"), { from: nowhere });
    expect(lastClick()).toMatchObject({ reason: null, billed_micros: 500_000, country: "DE" });
  });

  it("keeps a simulated visit where it was simulated, and bills nothing", async () => {
    const before = spent();
    const german = await service.visit({ website: "ws_dev", query: "&dev-country=DE", from: nowhere });
    await service.follow(german.offers[0]?.url ?? "", { from: newJersey });
    expect(lastClick()).toMatchObject({ test: 1, reason: null, billed_micros: null, country: "DE" });
    expect(spent()).toBe(before);
  });

  it.each([
    ["https://shop-a.example/article", null],
    [undefined, null],
    ["https://shop-b.example/", "unregistered_referrer"],
    ["https://evil.example/", "unregistered_referrer"],
    ["https://shop-a.example.evil.com/", "unregistered_referrer"],
    ["about:blank", "unregistered_referrer"],
    ["rubbish", "unregistered_referrer"],
  ])("marks the referrer %s as %s, and bills it all the same", async (referrer, mark) => {
    const { linkTo, from } = await visitNew();
    await service.follow(linkTo("offer_premium"), { from, headers: referrer ? { Referer: referrer } : {} });
    expect(lastClick()).toMatchObject({ mark, reason: null, billed_micros: 500_000 });
  });

  it("asks the allowlist once more", async () => {
    const { linkTo, from } = await visitNew();
    await service.change((db) => updateWebsite(db, "ws_a", { ownBrand: "Premium" }, fewPlaces));
    expect((await service.follow(linkTo("offer_premium"), { from })).status).toBe(302);
    expect(lastClick()).toMatchObject({ reason: "not_permitted", billed_micros: null });
    await service.change((db) => updateWebsite(db, "ws_a", { ownBrand: "" }, fewPlaces));
  });

  it("takes a click on a paused offer to the publisher's own page, and stores why", async () => {
    const { linkTo, from } = await visitNew();
    await service.change((db) => setOfferStatus(db, "offer_best", "paused"));
    const answer = await service.follow(linkTo("offer_best"), { from });
    expect(answer).toMatchObject({ status: 302, headers: { location: "https://shop-a.example/offers" } });
    expect(lastClick()).toMatchObject({ reason: "paused", billed_micros: null });
  });

  it("shows a small page where there is no such page", async () => {
    await service.change((db) => setOfferStatus(db, "offer_best", "active"));
    const { offers } = await service.visit({ website: "ws_wild", from: "203.0.113.200" });
    await service.change((db) => setOfferStatus(db, "offer_best", "paused"));
    const link = offers.find(({ id }) => id === "offer_best")?.url ?? "";
    const answer = await service.follow(link, { from: "203.0.113.200", headers: navigation });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("location");
    expect(answer.text).toContain("taking a break");
    expect(lastClick()).toMatchObject({ reason: "paused" });
    await service.change((db) => setOfferStatus(db, "offer_best", "active"));
  });
});

it("writes no error line on the way", () => {
  expect(service.errors).toEqual([]);
});
