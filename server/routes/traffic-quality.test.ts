import { readFileSync } from "node:fs";
import type { ExplainAnswer } from "@offers/contract/explain";
import type { OffersAnswer } from "@offers/contract/offers";
import { type RefusalReason, refusalReasons } from "@offers/contract/words";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAddressList } from "../address-list.ts";
import { isNobodys } from "../core/event-verdict.ts";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { createKnownNetworks } from "../geo/known-networks.ts";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { setOfferStatus, updateOffer } from "../store/catalogue/offers.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import { type Call, chrome, newJersey } from "../testing/call.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { trafficTables } from "../testing/stored-rows.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

/** Data centres and engines stand in the same country as everybody else, and are blocked as they are. */
const networks = createKnownNetworks({
  datacenter: { date: "2026-11-01", networks: ["203.0.113.192/27"] },
  search_engine: { date: "2026-11-01", networks: ["203.0.113.208/28"] },
});
const inDataCentre = "203.0.113.200";
const engine = "203.0.113.210";

let service: TestService;
let startedAt: number;
let a: KeyCalls;
beforeAll(async () => {
  service = await startTestService({ isInternal: createAddressList(["203.0.113.240/28"]), networks });
  startedAt = service.context.clock();
  a = await withKey(service);
});
beforeEach(() => {
  service.moveClock(startedAt - service.context.clock());
  return service.empty(trafficTables);
});
afterAll(() => service.close());

const minute = 60_000;
const hour = 60 * minute;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
/** Browsers of one family, of which no two visitors have the same. */
const chromeOf = (version: number) => chrome.replace("144.0.0.0", `${version}.0.0.0`);
const withAgent = (userAgent: string, more: Record<string, string> = {}) => ({
  headers: { "User-Agent": userAgent, ...more },
});

type Visitor = Pick<Call, "from" | "headers">;

const linkIn = (visit: Awaited<ReturnType<TestService["visit"]>>, offerId: string): string => {
  const url = visit.offers.find(({ id }) => id === offerId)?.url;
  if (url === undefined) throw new Error(`${offerId} was not handed out`);
  return url;
};

/** A whole visit: the decision, its offers, a second to read them, and the link. Who clicks may be somebody else. */
const click = async (visitor: Visitor, offerId = "offer_best", by: Visitor = visitor): Promise<void> => {
  const visit = await service.visit(visitor);
  expect((await service.follow(linkIn(visit, offerId), by)).status).toBe(302);
};

const clicks = () => service.stored.events("click");
const billedClicks = () => clicks().filter(({ billed_micros }) => billed_micros !== null).length;
const reasons = () => clicks().map(({ reason }) => reason);

/** What is stored beside what is counted: each event counts in its cell, or is filtered there. */
const expectGrossToAddUp = () => {
  const { blocked, served, impressions, clicks: counted, filtered } = service.stored.figures();
  expect(blocked + served + impressions + counted + filtered).toBe(service.stored.events().length);
};

describe("each reason, over HTTP", () => {
  const produce: Record<RefusalReason, () => Promise<void>> = {
    expired: async () => {
      const visit = await service.visit();
      service.moveClock(24 * hour);
      await service.follow(linkIn(visit, "offer_best"));
    },
    search_engine: () => click({ from: engine }),
    bot: () => click(withAgent("curl/8.5.0")),
    empty_user_agent: () => click(withAgent("")),
    not_navigated: () => click({}, "offer_best", { headers: { "Sec-Fetch-Dest": "image" } }),
    internal_address: () => click({ from: "203.0.113.241" }),
    datacenter: () => click({ from: inDataCentre }),
    rate: async () => {
      for (const version of [140, 141, 142, 143]) await click(withAgent(chromeOf(version)));
    },
    geo_mismatch: () => click({}, "offer_best", { from: newJersey }),
    user_agent_mismatch: async () => {
      const visit = await service.visit();
      // Another process writes meanwhile, so that what the service remembers of the visit is read anew.
      await service.change((db) => setOfferStatus(db, "offer_french", "active"));
      await service.follow(linkIn(visit, "offer_best"), withAgent(firefox));
    },
    fast_click: async () => {
      const visit = await service.visit();
      service.moveClock(799 - 1000);
      await service.follow(linkIn(visit, "offer_best"));
    },
    duplicate: async () => {
      for (let time = 0; time < 2; time += 1) await click({});
    },
    not_served: async () => {
      const { decision } = await service.visit();
      const body = { requestId: decision.requestId, offerId: "offer_second" };
      expect((await service.post("click", body)).status).toBe(204);
    },
    not_permitted: async () => {
      const visit = await service.visit();
      await service.change((db) => updateWebsite(db, "ws_a", { ownBrand: "Best" }, fewPlaces));
      await service.follow(linkIn(visit, "offer_best"));
      await service.change((db) => updateWebsite(db, "ws_a", { ownBrand: "" }, fewPlaces));
    },
    paused: async () => {
      const visit = await service.visit();
      await service.change((db) => setOfferStatus(db, "offer_best", "paused"));
      await service.follow(linkIn(visit, "offer_best"));
      await service.change((db) => setOfferStatus(db, "offer_best", "active"));
    },
    budget_exhausted: async () => {
      const visits = await Promise.all(
        ["203.0.113.21", "203.0.113.22"].map(async (from) => ({
          from,
          visit: await service.visit({ from }),
        })),
      );
      for (const { from, visit } of visits) await service.follow(linkIn(visit, "offer_once"), { from });
    },
  };

  it.each(refusalReasons)("%s", async (reason) => {
    await produce[reason]();
    const refused = clicks().filter((row) => row.reason !== null);
    expect(refused.map((row) => [row.reason, row.billed_micros])).toEqual([[reason, null]]);
    expectGrossToAddUp();
    const { id, click_id } = refused[0] ?? {};
    const explained = (await a.get(`/v1/explain?eventId=${id}`)).json<ExplainAnswer>();
    const event = explained.events.find((one) => one.eventId === id);
    expect(event).toMatchObject({ type: "click", counts: false, reason, billed: false });
    if (click_id === null) return;
    const byClick = (await a.get(`/v1/explain?clickId=${click_id}`)).json<ExplainAnswer>();
    expect(byClick.events.find((one) => one.eventId === id)).toEqual(event);
  });

  it("bills the same visit when nothing speaks against it", async () => {
    await click({
      headers: { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1" },
    });
    expect(billedClicks()).toBe(1);
    expectGrossToAddUp();
  });
});

describe("a link that nobody follows", () => {
  it.each([
    ["an image", "no-cors", "image"],
    ["a script", "no-cors", "script"],
    ["a hidden frame", "navigate", "iframe"],
    ["a call of fetch", "cors", "empty"],
  ])("is redirected and not billed as %s", async (_, mode, destination) => {
    await click({}, "offer_best", { headers: { "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination } });
    expect(reasons()).toEqual(["not_navigated"]);
    expect(billedClicks()).toBe(0);
  });

  const fetchedBy: [name: string, RefusalReason, headers: Record<string, string>, from?: string][] = [
    ["a page that loads it as an image", "not_navigated", { "Sec-Fetch-Dest": "image" }],
    ["a scanner", "bot", { "User-Agent": "curl/8.5.0" }],
    ["a program without a name", "empty_user_agent", { "User-Agent": "" }],
    ["a scanner in a data centre", "datacenter", {}, inDataCentre],
    ["a search engine", "search_engine", {}, engine],
  ];
  it("is tried for every reason that says that nobody follows it", () => {
    const tried = fetchedBy.map(([, reason]) => reason);
    expect(tried.toSorted()).toEqual(refusalReasons.filter((reason) => isNobodys([reason])).toSorted());
  });

  it.each(fetchedBy)(
    "is billed to the person who follows it after %s (%s)",
    async (_, reason, headers, from) => {
      const fetches = { headers, ...(from && { from }) };
      const visit = await service.visit();
      await service.follow(linkIn(visit, "offer_best"), fetches);
      await service.follow(linkIn(visit, "offer_best"));
      await service.follow(linkIn(visit, "offer_best"), fetches);
      expect(clicks().map(({ billed_micros }) => billed_micros)).toEqual(
        expect.arrayContaining([400_000, null, null]),
      );
      expect(billedClicks()).toBe(1);
      expect(new Set(reasons())).toEqual(new Set([reason, null]));
      expectGrossToAddUp();
    },
  );

  it.each([
    { "Sec-Purpose": "prefetch" },
    { Purpose: "prefetch" },
    { "X-Purpose": "preview" },
    { "X-Moz": "prefetch" },
  ])("is not answered ahead of a click, by %j", async (headers) => {
    const visit = await service.visit();
    expect((await service.follow(linkIn(visit, "offer_best"), { headers })).status).toBe(503);
    expect(clicks()).toEqual([]);
  });
});

describe("robots and programs that name themselves", () => {
  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/144.0.0.0 Safari/537.36",
    "curl/8.5.0",
    "Wget/1.21.4",
    "python-requests/2.32.3",
    "Go-http-client/2.0",
    "axios/1.7.9",
    "okhttp/4.12.0",
    "Java/21.0.2",
  ])("cause no bill: %s", async (userAgent) => {
    await click(withAgent(userAgent));
    const visit = await service.visit(withAgent(userAgent));
    const body = { requestId: visit.decision.requestId, offerId: "offer_cpm" };
    expect((await service.post("impression", body, withAgent(userAgent))).status).toBe(204);
    expect(service.stored.table("ledger_line").filter(({ kind }) => kind !== "deposit")).toEqual([]);
    const refused = service.stored.events().filter(({ reason }) => reason === "bot");
    expect(refused.map(({ type }) => type)).toEqual(["click", "impression"]);
  });
});

describe("a data centre", () => {
  it("costs nobody anything, and is counted as a visit", async () => {
    const visitor = { from: inDataCentre };
    await click(visitor);
    const { decision } = await service.visit(visitor);
    const body = { requestId: decision.requestId, offerId: "offer_cpm" };
    expect((await service.post("impression", body, visitor)).status).toBe(204);
    expect(service.stored.table("ledger_line").filter(({ kind }) => kind !== "deposit")).toEqual([]);
    const refused = service.stored.events().filter(({ reason }) => reason === "datacenter");
    expect(refused.map(({ type }) => type)).toEqual(["click", "impression"]);
    expect(service.stored.figures()).toMatchObject({ blocked: 2, impressions: 0, clicks: 0 });
    expectGrossToAddUp();
  });

  it("is where a click comes from, not where its decision was asked for", async () => {
    await click({ from: inDataCentre }, "offer_best", {});
    expect([reasons(), billedClicks()]).toEqual([[null], 1]);
  });

  it("is not held against a development website, whose author may work in one", async () => {
    for (const from of [inDataCentre, engine]) {
      const visit = await service.visit({ website: "ws_dev", query: "&dev-country=DE", from });
      const [offer] = visit.offers;
      await service.follow(offer?.url ?? "", { from });
    }
    expect(reasons()).toEqual([null, null]);
  });

  it("is no server's that speaks of somebody else: the address that it names is judged", async () => {
    for (const [ip, reason] of [
      ["203.0.113.7", undefined],
      [inDataCentre, "datacenter"],
      [engine, "search_engine"],
    ]) {
      const given = { from: inDataCentre };
      const decided = await a.get(`/v1/decision?website=ws_a&ip=${ip}`, given);
      const { requestId, offer } = decided.json<{ requestId: string; offer: { id: string } }>();
      const body = { websiteKey: "ws_a", requestId, offerId: offer.id };
      // That it was handed out counts there, as what a page hands out does.
      const ofServed = reason === "datacenter" ? undefined : reason;
      for (const [type, expected] of [
        ["served", ofServed],
        ["impression", reason],
        ["click", reason],
      ]) {
        const told = await a.accept({ ...body, type }, given);
        expect([ip, type, told.accepted, told.reason]).toEqual([ip, type, expected === undefined, expected]);
      }
    }
    const unnamed = (await a.get("/v1/decision?website=ws_a", { from: inDataCentre })).json<{
      requestId: string;
      offer: { id: string };
    }>();
    const { requestId, offer } = unnamed;
    const body = { websiteKey: "ws_a", requestId, offerId: offer.id, type: "click" };
    expect(await a.accept(body, { from: inDataCentre })).toMatchObject({ accepted: true });
    expect(service.stored.figures()).toMatchObject({ blocked: 3, clicks: 2 });
    expectGrossToAddUp();
  });
});

describe("a verified search engine", () => {
  const countedOf = () => {
    const { blocked, served, drawn, impressions, clicks: followed } = service.stored.figures();
    return { blocked, served, drawn, impressions, clicks: followed };
  };

  it("sees what anybody from its place sees, and nothing of it counts", async () => {
    const visitor = { from: engine };
    const seen = await service.visit(visitor);
    const anybody = await service.visit();
    expect({ ...seen.decision, requestId: "" }).toEqual({ ...anybody.decision, requestId: "" });
    expect(seen.offers.length).toBe(anybody.offers.length);
    const before = countedOf();
    expect(before).toMatchObject({ blocked: 1, served: anybody.offers.length });
    const { requestId } = seen.decision;
    for (const [event, body] of [
      ["drawn", { requestId, offerIds: ["offer_cpm"] }],
      ["impression", { requestId, offerId: "offer_cpm" }],
      ["click", { requestId, offerId: "offer_cpm" }],
    ] as const) {
      expect((await service.post(event, body, visitor)).status).toBe(204);
    }
    expect((await service.follow(linkIn(seen, "offer_best"), visitor)).status).toBe(302);
    // What it fetched at one address it may go on with at another that nobody knows.
    const other = seen.offers.find(({ id }) => id !== "offer_best" && id !== "offer_cpm");
    expect((await service.follow(other?.url ?? "")).status).toBe(302);
    expect(countedOf()).toEqual(before);
    expect(service.stored.figures().filtered).toBe(1 + seen.offers.length + 4);
    const own = service.stored.events().filter(({ reason }) => reason !== null);
    expect(new Set(own.map(({ reason }) => reason))).toEqual(new Set(["search_engine"]));
    expect(service.stored.table("ledger_line").filter(({ kind }) => kind !== "deposit")).toEqual([]);
    expectGrossToAddUp();
    const explained = (await a.get(`/v1/explain?requestId=${requestId}`)).json<ExplainAnswer>();
    const told = explained.events.map(({ type, counts, reason }) => [type, counts, reason]);
    expect(told).toContainEqual(["blocked", false, "search_engine"]);
    expect(told).toContainEqual(["served", false, "search_engine"]);
  });

  it("is handed the offers that anybody is", async () => {
    const idsFor = async (from: string) => {
      const { requestId } = await service.decide({ from });
      // All of them: which six stand first is drawn.
      const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE&limit=20`;
      const { premium, standard } = (await service.call(path, { from })).json<OffersAnswer>();
      return [...premium, ...standard].map(({ id }) => id).toSorted();
    };
    expect(await idsFor(engine)).toEqual(await idsFor("203.0.113.7"));
  });

  it("is one when it names itself, and a robot beside it is not", async () => {
    const robot = withAgent("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)");
    await service.visit({ ...robot, from: engine });
    expect(countedOf()).toMatchObject({ blocked: 0, served: 0 });
    await click(robot);
    expect(countedOf()).toMatchObject({ blocked: 1, clicks: 0 });
    expect(reasons()).toEqual(["bot"]);
  });

  it("is one among the offers of a decline too", async () => {
    const { decline } = await withSecret(service);
    const { answer } = await decline({}, { from: engine });
    expect([...answer.premium, ...answer.standard].length).toBeGreaterThan(0);
    expect(countedOf()).toMatchObject({ blocked: 1, served: 0 });
    expectGrossToAddUp();
  });
});

describe("one network", () => {
  it("is billed 3 times in 10 minutes and 25 times a day, whatever user agents it names", async () => {
    for (let number = 0; number < 30; number += 1) await click(withAgent(chromeOf(100 + number)));
    expect(service.context.clock() - startedAt).toBeLessThan(10 * minute);
    expect(billedClicks()).toBe(3);
    for (let number = 0; number < 60; number += 1) {
      service.moveClock(20 * minute);
      await click(withAgent(chromeOf(200 + number)));
    }
    expect(service.context.clock() - startedAt).toBeLessThan(24 * hour);
    expect(billedClicks()).toBe(25);
    expect(new Set(reasons())).toEqual(new Set([null, "rate"]));
  });

  it("is an IPv6 /48 as a whole", async () => {
    const geo = createFixedGeo([{ range: "2001:db8::/32", country: "DE", region: "" }]);
    const home = await startTestService({ geo });
    try {
      for (let number = 0; number < 60; number += 1) {
        const from = `2001:db8:7:${number.toString(16)}::1`;
        const visit = await home.visit({ from });
        expect((await home.follow(linkIn(visit, "offer_best"), { from })).status).toBe(302);
      }
      const billed = () => home.stored.events("click").filter(({ billed_micros }) => billed_micros !== null);
      expect(billed()).toHaveLength(3);
      const neighbour = { from: "2001:db8:8::1" };
      await home.follow(linkIn(await home.visit(neighbour), "offer_best"), neighbour);
      expect(billed()).toHaveLength(4);
    } finally {
      await home.close();
    }
  });

  it("of 20 people in an office has at least 18 of 20 clicks billed over a working day", async () => {
    // By a generator with a fixed seed: from nine to five, and most of them around eleven and three.
    let state = 20_261_122;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 4_294_967_296;
    };
    const moments = Array.from({ length: 20 }, (_, number) => {
      const anyTime = random() * 8 * hour;
      const aroundBreaks = (number % 2 === 0 ? 2 : 6) * hour + (random() - 0.5) * 2 * hour;
      return Math.round(number % 3 === 0 ? anyTime : aroundBreaks);
    }).toSorted((one, other) => one - other);
    for (const [number, moment] of moments.entries()) {
      service.moveClock(startedAt + moment - service.context.clock());
      await click(withAgent(chromeOf(120 + number)));
    }
    expect(clicks()).toHaveLength(20);
    expect(billedClicks()).toBeGreaterThanOrEqual(18);
  });

  it("bills one click of a visitor who toggles Global Privacy Control, over a restart too", async () => {
    const without = withAgent(chrome);
    const withSignal = withAgent(chrome, { "Sec-GPC": "1" });
    await click(withSignal);
    service.moveClock(minute);
    await click(without);
    const restarted = await startTestService({ copyOf: service });
    try {
      restarted.moveClock(service.context.clock() + minute - restarted.context.clock());
      for (const visitor of [withSignal, without]) {
        const visit = await restarted.visit(visitor);
        expect((await restarted.follow(linkIn(visit, "offer_best"), visitor)).status).toBe(302);
      }
      const stored = restarted.stored.events("click");
      expect(stored.map(({ reason }) => reason)).toEqual([null, "rate", "rate", "rate"]);
      expect(stored.filter(({ billed_micros }) => billed_micros !== null)).toHaveLength(1);
      expect(restarted.stored.table("billed_click")).toEqual([]);
    } finally {
      await restarted.close();
    }
  });
});

describe("one visitor", () => {
  it("is billed for 3 clicks in 10 minutes, of whatever offers", async () => {
    for (const offerId of ["offer_premium", "offer_best", "offer_once", "offer_world"])
      await click({}, offerId);
    expect(reasons()).toEqual([null, null, null, "rate"]);
  });

  it.each([
    ["by their hash", {}],
    ["by their network, with Global Privacy Control", { "Sec-GPC": "1" }],
  ])("who reloads 60 times is billed at most 5 views in 5 minutes, told %s", async (_, headers) => {
    for (let time = 0; time < 60; time += 1) {
      const { decision } = await service.visit({ headers });
      const body = { requestId: decision.requestId, offerId: "offer_cpm" };
      expect((await service.post("impression", body, { headers })).status).toBe(204);
      service.moveClock(4000);
    }
    expect(service.context.clock() - startedAt).toBe(5 * minute);
    const views = service.stored.events("impression");
    expect(views).toHaveLength(60);
    expect(views.filter(({ billed_micros }) => billed_micros !== null)).toHaveLength(5);
    expect(new Set(views.map(({ reason }) => reason))).toEqual(new Set([null, "rate"]));
    expectGrossToAddUp();
  });

  it.each([
    [
      "of one visitor who toggles Global Privacy Control",
      (time: number) => (time % 2 ? { "Sec-GPC": "1" } : {}),
      5,
    ],
    [
      "of one address with ever other user agents",
      (time: number) => withAgent(chromeOf(60 + time)).headers,
      30,
    ],
  ])("a reload a second: at most so many views are billed in 5 minutes, %s", async (_, headersOf, most) => {
    for (let time = 0; time < 60; time += 1) {
      const headers = headersOf(time);
      const { decision } = await service.visit({ headers });
      await service.post("impression", { requestId: decision.requestId, offerId: "offer_cpm" }, { headers });
      service.moveClock(1000);
    }
    const views = service.stored.events("impression");
    expect(views.filter(({ billed_micros }) => billed_micros !== null)).toHaveLength(most);
    expectGrossToAddUp();
  });

  it.each<[string, (visit: Awaited<ReturnType<TestService["visit"]>>, given: Visitor) => Promise<unknown>]>([
    [
      "that are seen",
      ({ decision: { requestId } }, given) =>
        service.post("impression", { requestId, offerId: "offer_cpm" }, given),
    ],
    ["that a click implies", (visit, given) => service.follow(linkIn(visit, "offer_cpm"), given)],
  ])("is billed no more views %s where the offer costs by the click by then", async (_, happens) => {
    const given = { headers: { "Sec-GPC": "1" } };
    const visits = [];
    for (let time = 0; time < 6; time += 1) visits.push(await service.visit(given));
    const setModel = (payoutModel: "CPC" | "CPM") =>
      service.change((db) => updateOffer(db, "offer_cpm", { payoutModel }, fewPlaces));
    await setModel("CPC");
    try {
      for (const visit of visits) await happens(visit, given);
    } finally {
      await setModel("CPM");
    }
    const views = service.stored.events("impression");
    expect(views).toHaveLength(6);
    expect(views.filter(({ billed_micros }) => billed_micros !== null)).toHaveLength(5);
    expectGrossToAddUp();
  });

  it.each<[string, (visit: Awaited<ReturnType<TestService["visit"]>>, given: Visitor) => Promise<unknown>]>([
    [
      "sees an offer",
      ({ decision: { requestId } }, given) =>
        service.post("impression", { requestId, offerId: "offer_cpm" }, given),
    ],
    ["follows a link", (visit, given) => service.follow(linkIn(visit, "offer_cpm"), given)],
  ])("who asks to have no name only when it %s is billed by the network alone", async (_, happens) => {
    for (let time = 0; time < 2; time += 1) {
      const named = await service.visit({ from: `203.0.113.${time}` });
      await happens(named, { from: `203.0.113.${time}`, headers: time === 0 ? {} : { "Sec-GPC": "1" } });
    }
    const billed = service.stored.events("impression").filter(({ billed_micros }) => billed_micros !== null);
    expect(billed).toHaveLength(2);
    // Of the first the visitor and the network, of the second the network.
    const names = service.stored.table("billed_view").map(({ unnamed }) => unnamed);
    expect(names.toSorted()).toEqual([0, 0, 1]);
  });

  it("is billed no more views by following the links", async () => {
    for (let time = 0; time < 20; time += 1) await click({}, "offer_cpm");
    const views = service.stored.events("impression");
    expect(views.filter(({ billed_micros }) => billed_micros !== null)).toHaveLength(5);
  });
});

it("has a line for each reason in the guide, in the order in which they are checked", () => {
  const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf8");
  const [, section = ""] = guide.split("### Which events do not count");
  const [table = ""] = section.split("\n\nA visitor is told");
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason)).toEqual([...refusalReasons]);
});

it("stores nothing of an address or a user agent", () => {
  const { tables, table } = service.stored;
  const text = tables()
    .map((name) => JSON.stringify(table(name)))
    .join("");
  expect(text).not.toMatch(/203\.0\.113|Mozilla|Chrome/);
});

it("writes no error line on the way", () => {
  expect(service.errors).toEqual([]);
});
