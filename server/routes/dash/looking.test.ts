import { allowlist } from "@offers/contract/catalogue";
import type { DashOffers } from "@offers/contract/dash/looking";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setAllowlist } from "../../store/catalogue/allowlists.ts";
import { updateOffer } from "../../store/catalogue/offers.ts";
import { setWebsitePaused } from "../../store/catalogue/websites.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { rules } from "../../testing/fixture.ts";
import { type KeyCalls, withKey } from "../../testing/key-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import type { Visit } from "../../testing/visitor-journeys.ts";
import { wholeDatabase } from "../../testing/whole-database.ts";

let service: TestService;
let viewer: DashCalls;
let stranger: DashCalls;
let key: KeyCalls;
let visit: Visit;
beforeAll(async () => {
  service = await startTestService();
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer" } });
  stranger = await signedIn(service, { publishers: { publisher_b: "owner" } });
  key = await withKey(service);
  // For what an explanation is asked with to make a difference.
  await service.change((catalogue) =>
    updateOffer(catalogue, "offer_best", { languages: ["fr"], devices: ["desktop"] }, rules),
  );
  visit = await service.visit({ headers: { "Accept-Language": "fr" } });
  const [offer] = visit.offers;
  if (offer === undefined) throw new Error("no offer was handed out");
  await service.post("impression", { requestId: visit.decision.requestId, offerId: offer.id });
  await service.follow(offer.url);
  await service.follow(offer.url);
});
afterAll(() => service.close());

const explain = "/dash/api/publishers/publisher_a/explain";
const offers = "/dash/api/publishers/publisher_a/offers";

/** The ids by which the visit can be asked for. */
const queries = (): string[] => {
  const rows = service.stored.events();
  const click = rows.find(({ type }) => type === "click");
  return [
    `requestId=${visit.decision.requestId}`,
    `requestId=${visit.decision.requestId}&language=de`,
    `requestId=${visit.decision.requestId}&device=phone`,
    ...rows.map(({ id }) => `eventId=${id}`),
    `clickId=${click?.click_id}`,
  ];
};

describe("an explanation", () => {
  it("is what a key of the publisher is told, to the byte, and records nothing", async () => {
    const asked = queries();
    expect(asked.length).toBeGreaterThan(6);
    const before = wholeDatabase(service);
    for (const query of asked) {
      const told = await viewer.get(`${explain}?${query}`);
      expect(told.status, `${query} ${told.text}`).toBe(200);
      expect(told.text).toBe((await key.get(`/v1/explain?${query}`)).text);
    }
    // The key's use is noted once a minute, and the person's not at all.
    expect({ ...wholeDatabase(service), api_key: "" }).toEqual({ ...before, api_key: "" });
  });

  it("of another publisher's visit is as unknown as one that there never was", async () => {
    const path = "/dash/api/publishers/publisher_b/explain";
    for (const query of queries()) {
      const [parameter = ""] = query.split("=");
      const others = await stranger.get(`${path}?${query}`);
      expect(others.status, query).toBe(404);
      const unknown = { requestId: "req_none", eventId: "evt_none", clickId: `${"n".repeat(21)}A` }[
        parameter
      ];
      const none = await stranger.get(`${path}?${parameter}=${unknown}`);
      expect(others.alike).toBe(none.alike);
    }
  });

  it("wants one id", async () => {
    for (const query of ["", "requestId=req_x&eventId=evt_x"]) {
      expect((await viewer.get(`${explain}?${query}`)).status).toBe(400);
    }
  });
});

describe("a publisher's offers", () => {
  const listed = async (query = "", by = viewer, path = offers): Promise<DashOffers> => {
    const answer = await by.get(`${path}?${query}`);
    if (answer.status !== 200) throw new Error(`no offers: ${answer.status} ${answer.text}`);
    return answer.json<DashOffers>();
  };
  const idsOf = ({ items }: DashOffers) => items.map(({ offerId }) => offerId.replace("offer_", ""));
  const all = ["premium", "best", "second", "cpm", "once", "lead", "world", "french"];

  it("are the active ones that some website of theirs may show, with no word of money", async () => {
    const answer = await viewer.get(offers);
    expect(answer.text).not.toMatch(/payoutMicros|budget|cap"|micros|landing|advertiser/i);
    const found = answer.json<DashOffers>();
    expect(idsOf(found)).toEqual(all);
    expect(found).toMatchObject({ page: 1, pageSize: 50, total: 8, verticals: ["games"] });
    expect(found.items[0]).toEqual({
      offerId: "offer_premium",
      brand: "Premium",
      vertical: "games",
      title: "premium",
      geoCoverage: ["DE"],
      payoutModel: "CPC",
      websites: ["ws_a", "ws_dev", "ws_wild"].map((websiteKey) => ({ websiteKey, keptAwayBy: null })),
    });
  });

  it.each([
    ["search=PREM", ["premium", "second"]],
    ["search=offer_cpm", ["cpm"]],
    ["search=nothing of this", []],
    ["country=FR", ["world", "french"]],
    ["country=DE&payoutModel=CPM", ["cpm"]],
    ["vertical=travel", []],
    ["pageSize=3&page=3", ["world", "french"]],
    ["pageSize=3&page=9", []],
  ])("are narrowed by %s", async (query, expected) => {
    expect(idsOf(await listed(query))).toEqual(expected);
  });

  it("say what keeps each from a website, and leave out what none may show", async () => {
    const block = { brands: ["premium"], verticals: [], offers: ["offer_cpm"] };
    const none = { brands: [], verticals: [], offers: [] };
    const rulesOf = {
      ws_a: allowlist.parse({ mode: "all", allow: none, block }),
      ws_dev: allowlist.parse({ mode: "allowlist", allow: { ...none, brands: ["Best"] }, block: none }),
    };
    await service.change(async (catalogue) => {
      for (const [website, rule] of Object.entries(rulesOf)) await setAllowlist(catalogue, website, rule);
      await setWebsitePaused(catalogue, "ws_wild", true);
    });
    const found = await listed();
    expect(idsOf(found)).toEqual(["best", "once", "lead", "world", "french"]);
    const away = (id: string) => found.items.find(({ offerId }) => offerId === `offer_${id}`)?.websites;
    expect(away("best")?.map(({ keptAwayBy }) => keptAwayBy)).toEqual([null, null, "website_paused"]);
    expect(away("world")?.map(({ keptAwayBy }) => keptAwayBy)).toEqual([
      null,
      "not_allowed",
      "website_paused",
    ]);
  });

  it.each(["page=0", "pageSize=101", "country=Germany", "payoutModel=CPX", "sort=payout"])(
    "are not listed by %s",
    async (query) => {
      expect((await viewer.get(`${offers}?${query}`)).status).toBe(400);
    },
  );
});
