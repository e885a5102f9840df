import { readFileSync } from "node:fs";
import type { Allowlist } from "@offers/contract/catalogue";
import { offerInput } from "@offers/contract/catalogue";
import type { ExplainAnswer } from "@offers/contract/explain";
import { advertiserId, type WebsiteKey } from "@offers/contract/ids";
import {
  type BlockReason,
  blockReasons,
  emptyReasons,
  type RemovalReason,
  removalReasons,
} from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulateVisit } from "../core/simulation.ts";
import { setAllowlist } from "../store/catalogue/allowlists.ts";
import { createOffer, setOfferStatus, updateOffer } from "../store/catalogue/offers.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import { newJersey, nowhere } from "../testing/call.ts";
import { withSecret } from "../testing/decline-calls.ts";
import { rules } from "../testing/fixture.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";
import type { Visit } from "../testing/visitor-journeys.ts";
import { standingOf as standingOfService } from "./standing.ts";

let service: TestService;
let a: KeyCalls;
let b: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  b = await withKey(service, { publisherId: "publisher_b" });
});
afterAll(() => service.close());

const explain = async (query: string, by = a): Promise<ExplainAnswer> => {
  const answer = await by.get(`/v1/explain?${query}`);
  if (answer.status !== 200) throw new Error(`not explained: ${answer.status} ${answer.text}`);
  const explained = answer.json<ExplainAnswer>();
  const ids = service.stored.table("offer").map(({ id }) => String(id));
  expect(explained.considered + explained.removed).toBe(ids.length);
  expect(explained.offers.map(({ offerId }) => offerId).toSorted()).toEqual(ids.toSorted());
  for (const { rank, removedBy } of explained.offers) expect([rank, removedBy]).toContain(null);
  return explained;
};

/** A visit, as far as it is asked about. */
type Asked = { decision: { requestId: string }; answer?: Visit["answer"]; as?: string };

const ofVisit = ({ decision, as = "" }: Asked) => explain(`requestId=${decision.requestId}${as}`);

/** Why an offer was removed, or its rank. */
const standingOf = ({ offers }: ExplainAnswer, id: string) => {
  const found = offers.find(({ offerId }) => offerId === id);
  return found?.removedBy ?? found?.rank;
};

const change = (patch: object, key = "ws_a") => service.change((db) => updateWebsite(db, key, patch, rules));
const geoRule = { mode: "allowlist", entries: ["US-NJ", "FR"], unknownLocation: "allow" };

describe("the decision", () => {
  const cases: Record<BlockReason, [object, string | undefined, object]> = {
    country_not_allowed: [geoRule, undefined, { line: "mode", mode: "allowlist", entry: null }],
    region_not_allowed: [
      { ...geoRule, entries: ["DE-BY"] },
      undefined,
      { line: "mode", mode: "allowlist", entry: null },
    ],
    country_blocked: [
      { ...geoRule, mode: "blocklist", entries: ["DE"] },
      undefined,
      { line: "entry", mode: "blocklist", entry: "DE" },
    ],
    region_blocked: [
      { ...geoRule, mode: "blocklist", entries: ["US", "US-NJ"] },
      newJersey,
      { line: "entry", mode: "blocklist", entry: "US-NJ" },
    ],
    location_unknown: [
      { ...geoRule, unknownLocation: "block" },
      nowhere,
      { line: "unknown_location", mode: "allowlist", entry: null },
    ],
  };

  it.each(blockReasons)("%s is named with the rule's line", async (reason) => {
    const [rule, from, line] = cases[reason];
    await change({ geoRule: rule });
    const visit = await service.visit(from === undefined ? {} : { from });
    expect(visit.decision.blocked?.reason).toBe(reason);
    const { decision, now } = await ofVisit(visit);
    expect(now).toMatchObject({
      allowed: false,
      reason,
      rule: line,
      websiteChanged: false,
      offersChanged: 0,
    });
    expect(decision).toMatchObject({
      allowed: false,
      suppresses: false,
      country: visit.decision.country,
      region: visit.decision.region,
      catalogueVersion: now.catalogueVersion,
    });
    await change({ geoRule });
  });

  it("says how the visitor was located, and how old the data was then", async () => {
    const at = { source: "fixed", date: "2026-11-01", ageDays: 19 };
    const none = { source: null, date: null, ageDays: null };
    const geoOf = async (given: Parameters<TestService["decide"]>[0]) =>
      (await ofVisit({ decision: await service.decide(given) })).decision.geo;
    expect(await geoOf({})).toEqual({ basis: "address", ...at });
    expect(await geoOf({ from: newJersey })).toEqual({ basis: "address", ...at });
    expect(await geoOf({ from: nowhere })).toEqual({ basis: "none", ...none });
    expect(await geoOf({ from: nowhere, query: "&country=DE" })).toEqual({ basis: "hint", ...none });
    const simulated = { website: "ws_dev", query: "&dev-country=DE" };
    expect(await geoOf(simulated)).toEqual({ basis: "simulated", ...none });
  });

  it("of a visitor who was let through is explained by the requestId, though nothing is stored", async () => {
    const visit = await service.visit({ from: newJersey });
    const { decision, now, events, served } = await ofVisit(visit);
    expect(decision).toMatchObject({ allowed: true, country: "US", region: "NJ" });
    expect(now).toMatchObject({ allowed: true, reason: null, rule: { line: "entry", entry: "US-NJ" } });
    expect([events, served]).toEqual([[], []]);
  });

  it("of a paused website", async () => {
    const decision = await service.decide();
    await service.change(async ({ db }) => {
      await db
        .updateTable("catalogue_version")
        .set((eb) => ({ version: eb("version", "+", 1) }))
        .execute();
      const { version } = await db.selectFrom("catalogue_version").selectAll().executeTakeFirstOrThrow();
      await db
        .updateTable("website")
        .set({ paused: 1, changed: version })
        .where("key", "=", "ws_a")
        .execute();
    });
    const { decision: then, now } = await ofVisit({ decision });
    expect(then.allowed).toBe(false);
    expect(now).toMatchObject({
      allowed: true,
      reason: null,
      rule: { line: "paused" },
      catalogueVersion: (then.catalogueVersion ?? 0) + 1,
      websiteChanged: true,
      offersChanged: 0,
      emptyReason: "visitor_allowed",
    });
    await service.change(({ db }) => db.updateTable("website").set({ paused: 0 }).execute());
    await change({});
  });

  const simulate = ({ country, region }: Visit["decision"]) => {
    const catalogue = service.context.store.catalogue();
    const website = catalogue.website("ws_a");
    if (website === undefined) throw new Error("no website");
    const visit = { website, location: { country, region }, surface: "overlay", request: "x" } as const;
    return simulateVisit(visit, standingOfService(service.context));
  };

  it.each([
    ["blocked since", ["DE", "US-NJ"], ["US-NJ"]],
    ["let through since", ["US-NJ"], ["DE", "US-NJ"]],
  ])("of a visitor who is %s is followed by the offers of now", async (_, before, after) => {
    await change({ geoRule: { ...geoRule, entries: before } });
    const { decision } = await service.visit();
    await change({ geoRule: { ...geoRule, entries: after } });
    const explained = await ofVisit({ decision });
    const allowed = after.includes("DE");
    const { verdict, choice } = simulate(decision);
    expect([verdict.allowed, choice.emptyReason]).toEqual([allowed, allowed ? "visitor_allowed" : null]);
    expect(explained.decision.allowed).toBe(!allowed);
    expect(explained.now).toMatchObject({
      allowed,
      websiteChanged: true,
      emptyReason: choice.emptyReason,
    });
    expect(explained.considered > 0).toBe(!allowed);
    await change({ geoRule });
  });

  it("of a server's visitor, by the requestId and by the event that it reported", async () => {
    const decided = (await a.get("/v1/decision?website=ws_a&ip=203.0.113.7")).json<{
      requestId: string;
      offer: { id: string };
    }>();
    const { id: offerId } = decided.offer;
    const report = { type: "served", websiteKey: "ws_a", offerId, requestId: decided.requestId };
    const { id } = await a.accept(report);
    const byRequest = await explain(`requestId=${decided.requestId}`);
    const byEvent = await explain(`eventId=${id}`);
    expect({ ...byEvent, eventId: null }).toEqual(byRequest);
    expect(byEvent.eventId).toBe(id);
    expect(byRequest.served).toMatchObject([{ offerId, placement: "premium", position: 1 }]);
    expect(byRequest.events).toMatchObject([
      { type: "blocked", counts: true },
      { type: "served", offerId, counts: true, eventId: id },
    ]);
  });
});

describe("each offer", () => {
  const setList = (list: Partial<Record<"mode" | "allow" | "block", unknown>>, key = "ws_a") => {
    const names = { brands: [], verticals: [], offers: [] };
    const all = { mode: "all", allow: names, block: names, ...list } as Allowlist;
    return service.change((db) => setAllowlist(db, key, all));
  };

  it("stands where it was served, or is removed by a rule", async () => {
    const visit = await service.visit();
    const { offers, served, events, now } = await ofVisit(visit);
    const order = offers
      .filter(({ rank }) => rank !== null)
      .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
    const shown = visit.offers.map(({ id, placement, position }) => ({ offerId: id, placement, position }));
    expect(order.map(({ offerId }) => offerId)).toEqual(shown.map(({ offerId }) => offerId));
    expect(served).toMatchObject(shown);
    for (const handed of served) expect(handed.catalogueVersion).toBe(now.catalogueVersion);
    expect(events).toMatchObject([
      { type: "blocked", offerId: null, counts: true, reason: null },
      ...shown.map((one) => ({ type: "served", ...one, counts: true, reason: null })),
    ]);
  });

  const changeOffer = (patch: object) => service.change((db) => updateOffer(db, "offer_world", patch, rules));
  const at = () => ({ now: service.context.clock(), rules });
  const idOf = (title: string) =>
    String(service.stored.table("offer").find((offer) => offer.title === title)?.id);
  const evenly = {
    advertiserId: advertiserId.parse("advertiser_1"),
    brand: "Evenly",
    vertical: "travel",
    title: "Little by little",
    geoCoverage: ["DE"],
    payoutModel: "CPC",
    payoutMicros: 900_000,
    dailyClickCap: 10,
    pacing: "even",
    landingUrl: "https://brand.example/",
  };
  const fromNowOn = { names: { brands: ["Best"], verticals: [], offers: [] } };
  const produce: Record<RemovalReason, () => Promise<[Asked, string]>> = {
    visitor_allowed: async () => [await service.visit({ from: newJersey }), "offer_best"],
    allowlist_empty: async () => {
      await setList({ mode: "allowlist" });
      return [await service.visit(), "offer_best"];
    },
    paused: async () => [await service.visit(), "offer_paused"],
    no_offer_for_location: async () => [await service.visit(), "offer_french"],
    not_offered: async () => {
      const visit = await service.visit();
      await changeOffer({ onlyPublishers: ["publisher_b"] });
      // What the publisher blocks besides makes no difference.
      await setList({ block: { brands: ["World"], verticals: [], offers: [] } });
      return [visit, "offer_world"];
    },
    not_permitted: async () => {
      await setList({ block: fromNowOn.names });
      return [await service.visit(), "offer_best"];
    },
    not_running: async () => {
      await changeOffer({ endsAt: "2020-01-01" });
      return [await service.visit(), "offer_world"];
    },
    not_for_visitor: async () => {
      await changeOffer({ languages: ["de"], devices: ["phone"] });
      const visit = await service.visit();
      const asA = async (as: string) => standingOf(await ofVisit({ ...visit, as }), "offer_world");
      expect(await asA("&device=phone")).toBeGreaterThan(0);
      expect(await asA("&device=phone&language=de-AT")).toBeGreaterThan(0);
      expect(await asA("&device=phone&language=en")).toBe("not_for_visitor");
      // Its own browser is a desktop's, as its events say.
      return [visit, "offer_world"];
    },
    not_its_turn: async () => {
      // Its plan begins with it, so nothing of it is due yet.
      await service.change((db) => createOffer(db, offerInput.parse(evenly), at()));
      return [await service.visit(), await idOf(evenly.title)];
    },
    budgets_exhausted: async () => {
      const before = await service.visit();
      await service.follow(before.offers.find(({ id }) => id === "offer_once")?.url ?? "");
      return [await service.visit({ from: "203.0.113.99" }), "offer_once"];
    },
    no_offer_for_visit: async () => {
      await change({ floor: { micros: 1_000_000, currency: "EUR" } });
      return [await service.visit(), "offer_world"];
    },
    suppressed: async () => {
      const { open, poll, trigger } = await withSecret(service);
      const session = await open();
      await trigger({ ...session, suppressVerticals: ["games"] });
      const decision = (await poll(session.sessionId)).json<{ requestId: string }>();
      return [{ decision }, "offer_best"];
    },
    brand_shown: async () => [await service.visit(), "offer_second"],
    less_promising: async () => {
      await service.change(async (db) => {
        for (let number = 0; number < 140; number += 1) {
          const offer = {
            advertiserId: advertiserId.parse("advertiser_1"),
            brand: `Brand ${number}`,
            vertical: "travel",
            title: "One of many",
            geoCoverage: ["DE"],
            payoutModel: "CPC",
            payoutMicros: 3_000_000,
            landingUrl: "https://brand.example/",
          };
          await createOffer(db, offerInput.parse(offer), at());
        }
      });
      return [await service.visit(), "offer_world"];
    },
  };

  it.each(removalReasons)("%s", async (reason) => {
    const [visit, id] = await produce[reason]();
    expect(standingOf(await ofVisit(visit), id)).toBe(reason);
    await setList({});
    await change({ floor: { micros: 0, currency: "EUR" } });
    await changeOffer({ endsAt: null, languages: [], devices: [], onlyPublishers: [] });
  });

  it.each(emptyReasons)("is missing by %s, as the offers' answer says", async (reason) => {
    const empty: typeof produce = {
      ...produce,
      budgets_exhausted: async () => {
        const once = { brands: ["Once"], verticals: [], offers: [] };
        await setList({ mode: "allowlist", allow: once });
        return [await service.visit(), "offer_once"];
      },
      no_offer_for_location: async () => {
        const french = { brands: ["French"], verticals: [], offers: [] };
        await setList({ mode: "allowlist", allow: french });
        return [await service.visit(), "offer_french"];
      },
      no_offer_for_visit: async () => {
        const world = { brands: ["World"], verticals: [], offers: [] };
        await setList({ mode: "allowlist", allow: world });
        await change({ floor: { micros: 900_000_000_000, currency: "EUR" } });
        return [await service.visit(), "offer_world"];
      },
      suppressed: async () => {
        await setList({ block: { brands: [], verticals: ["travel"], offers: [] } });
        return produce.suppressed();
      },
    };
    const [visit, id] = await empty[reason]();
    const explained = await ofVisit(visit);
    expect(explained.now.emptyReason).toBe(reason);
    expect(standingOf(explained, id)).toBe(reason);
    expect(explained.considered).toBe(0);
    if (visit.answer) expect(visit.answer.emptyReason).toBe(reason);
    await setList({});
    await change({ floor: { micros: 0, currency: "EUR" } });
  });

  it("is told without any amount", async () => {
    const answer = await a.get(`/v1/explain?requestId=${(await service.visit()).decision.requestId}`);
    expect(answer.text).not.toMatch(/micros|payout|price|score|budget(?!s_exhausted)/i);
    expect(answer.headers["cache-control"]).toContain("no-store");
  });

  it("that has changed since is counted", async () => {
    const visit = await service.visit();
    await service.change((db) => setOfferStatus(db, "offer_best", "paused"));
    const { now } = await ofVisit(visit);
    expect(now).toMatchObject({ websiteChanged: false, offersChanged: 1 });
    await service.change((db) => setOfferStatus(db, "offer_best", "active"));
  });
});

describe("each event", () => {
  it("is told with what speaks against it, what it was overruled by, what is worth knowing of it, and which half of a click has come", async () => {
    const visit = await service.visit({ from: "203.0.113.150" });
    const { requestId } = visit.decision;
    const [first] = visit.offers;
    if (first === undefined) throw new Error("nothing was handed out");
    const body = { requestId, offerId: first.id };
    const robot = { headers: { "User-Agent": "curl/8.5.0" } };
    await service.post("drawn", { requestId, offerIds: [first.id] });
    await service.post("impression", body, robot);
    service.moveClock(1000);
    await service.post("click", body);
    expect((await ofVisit(visit)).events.at(-1)).toMatchObject({
      type: "click",
      counts: true,
      billed: false,
      hopAt: null,
    });
    const elsewhere = { Referer: "https://elsewhere.example/" };
    await service.follow(first.url, { from: "203.0.113.150", headers: elsewhere });
    await service.follow(first.url, { from: "203.0.113.150" });
    const { events } = await ofVisit(visit);
    const told = events.filter(({ type }) => type !== "served" && type !== "blocked");
    expect(
      told.map(({ type, reason, overruled, mark, billed }) => [type, reason, overruled, mark, billed]),
    ).toEqual([
      ["impression", null, "bot", null, false],
      ["drawn", null, null, null, false],
      ["click", null, null, "unregistered_referrer", true],
      ["click", "duplicate", null, null, false],
    ]);
    const [, , billed] = told;
    expect(billed?.hopAt).not.toBeNull();
    expect(billed?.beaconAt).not.toBeNull();
    const [click] = service.stored.events("click").filter(({ id }) => id === billed?.eventId);
    const byClick = await explain(`clickId=${click?.click_id}`);
    expect(byClick).toEqual({ ...(await ofVisit(visit)), eventId: billed?.eventId });
  });

  it("of a section is explained without its requestId, but for what was not kept", async () => {
    const visit = await service.visit({ from: newJersey, query: "&mode=section" });
    const decision = { allowed: true, geo: { basis: "address" }, suppresses: false };
    expect((await ofVisit(visit)).decision).toMatchObject(decision);
    const [{ id } = { id: "" }] = service.stored.events("served").slice(-1);
    const byEvent = await explain(`eventId=${id}`);
    expect(byEvent.decision).toMatchObject({ ...decision, allowed: null });
    expect(byEvent.surface).toBe("section");
    expect(byEvent.served.map(({ offerId }) => offerId)).toEqual(visit.offers.map((offer) => offer.id));
  });

  it("tells of a link when a server got it, whatever it reports of that later", async () => {
    const decided = (await a.get("/v1/decision?website=ws_a&ip=203.0.113.77")).json<{
      requestId: string;
      offer: { id: string };
    }>();
    const { requestId, offer } = decided;
    service.moveClock(5_000);
    const links = (await a.get(`/v1/offers?requestId=${requestId}`)).json<{ items: { id: string }[] }>();
    const linked = links.items.find(({ id }) => id !== offer.id)?.id ?? "";
    const servedAs = async (id: string) =>
      (await explain(`requestId=${requestId}`)).served.find(({ offerId }) => offerId === id);
    const before = await servedAs(linked);
    expect(before).toMatchObject({
      placement: "section",
      position: links.items.findIndex(({ id }) => id === linked) + 1,
    });
    expect(before?.ratesVersion).not.toBeNull();
    service.moveClock(600_000);
    const report = { type: "served", websiteKey: "ws_a", requestId, offerId: linked };
    expect(await a.accept(report)).toMatchObject({ accepted: true });
    expect(await servedAs(linked)).toEqual(before);
  });

  it("tells of what a server reports without a decision", async () => {
    const { id } = await a.accept({ type: "served", websiteKey: "ws_a", offerId: "offer_best" });
    const told = { offerId: "offer_best", placement: null, position: null };
    expect((await explain(`eventId=${id}`)).served).toMatchObject([told]);
  });

  it("of a decline knows what was suppressed as long as the session is kept", async () => {
    const { open, poll, trigger } = await withSecret(service);
    const session = await open();
    await trigger({ ...session, reason: "self_excluded" });
    const { requestId } = (await poll(session.sessionId)).json<{ requestId: string }>();
    const answer = await explain(`requestId=${requestId}`);
    expect(answer.surface).toBe("decline");
    expect(answer.decision).toMatchObject({
      allowed: false,
      suppresses: true,
      geo: { basis: "address", source: "fixed" },
    });
    expect(answer.now).toMatchObject({ allowed: false, reason: null, rule: { line: "declined" } });
    const [event] = answer.events;
    expect({ ...(await explain(`eventId=${event?.eventId}`)), eventId: null }).toEqual(answer);
    await service.empty(["decline_session"]);
    expect((await explain(`eventId=${event?.eventId}`)).decision.suppresses).toBeNull();
  });
});

it("has a line for each rule in the guide, in the order in which they are applied", () => {
  const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf8");
  const [, table = ""] = guide.split("| `removedBy` | The rule |");
  const [lines = ""] = table.split("\n\n");
  expect([...lines.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason)).toEqual([...removalReasons]);
});

describe("who may ask", () => {
  const ids = async (by: "ws_a" | "ws_b") => {
    const from = by === "ws_a" ? "203.0.113.160" : "203.0.113.161";
    const origin = by === "ws_a" ? "https://shop-a.example" : "https://shop-b.example";
    const visit = await service.visit({ website: by, from });
    const [first] = visit.offers;
    await service.follow(first?.url ?? "", { from });
    const body = { requestId: visit.decision.requestId, offerId: first?.id };
    await service.post("impression", body, { from, origin });
    const [click] = service.stored.events("click").slice(-1);
    return {
      requestId: visit.decision.requestId,
      eventId: String(click?.id),
      clickId: String(click?.click_id),
    };
  };
  const unknown = {
    requestId: `req_${"A".repeat(80)}`,
    eventId: `evt_${"A".repeat(16)}AAAAAAQAAAA`,
    clickId: "A".repeat(22),
  };
  const names = ["requestId", "eventId", "clickId"] as const;

  it.each(names)("another publisher's %s is one that nobody has, to the byte", async (name) => {
    const [own, others] = [await ids("ws_a"), await ids("ws_b")];
    expect((await explain(`${name}=${own[name]}`)).websiteKey).toBe("ws_a" as WebsiteKey);
    expect((await explain(`${name}=${others[name]}`, b)).websiteKey).toBe("ws_b" as WebsiteKey);
    const [foreign, none] = [
      await a.get(`/v1/explain?${name}=${others[name]}`),
      await a.get(`/v1/explain?${name}=${unknown[name]}`),
    ];
    expect(foreign.status).toBe(404);
    const message = `must be ${name === "eventId" ? "an" : "a"} ${name} of this publisher that is still kept`;
    expect(foreign.json()).toMatchObject({ code: "not_found", errors: [{ parameter: name, message }] });
    expect([foreign.status, foreign.alike]).toEqual([none.status, none.alike]);
    const { date: _, "request-id": __, ratelimit: ___, ...headers } = foreign.headers;
    expect(none.headers).toMatchObject(headers);
  });

  it("a key of one website knows no other of its publisher", async () => {
    const narrow = await withKey(service, { websiteKey: "ws_dev" });
    const { requestId } = await ids("ws_a");
    expect((await narrow.get(`/v1/explain?requestId=${requestId}`)).status).toBe(404);
  });

  it.each([
    ["", "missing_parameter"],
    [`requestId=${unknown.requestId}&clickId=${unknown.clickId}`, "invalid_parameter"],
    ["requestId=none", "invalid_request_id"],
    ["eventId=none", "invalid_parameter"],
    [`eventId=${unknown.eventId}&device=`, "invalid_parameter"],
    ["clickId=short", "invalid_parameter"],
    [`clickId=${"A".repeat(21)}B`, "invalid_parameter"],
    [`eventId=${unknown.eventId}&website=ws_a`, "invalid_parameter"],
    [`clickId=${unknown.clickId}&clickId=${unknown.clickId}`, "repeated_parameter"],
  ])("%s is refused", async (query, code) => {
    const answer = await a.get(`/v1/explain?${query}`);
    expect([answer.status, answer.json().code]).toEqual([400, code]);
  });

  it("none of them is refused in words that name all", async () => {
    const message = "one of requestId, eventId and clickId must be given";
    expect((await a.get("/v1/explain")).json()).toMatchObject({
      detail: `${message}.`,
      errors: [{ message }],
    });
  });

  it("an event in the form of one that was never stored is none", async () => {
    const { eventId } = await ids("ws_a");
    const other = `${eventId.slice(0, -1)}${eventId.endsWith("A") ? "I" : "A"}`;
    expect((await a.get(`/v1/explain?eventId=${other}`)).status).toBe(404);
  });

  it("needs the scope of reports, and a key", async () => {
    const limited = await withKey(service, { scopes: ["offers:read"] });
    const query = `/v1/explain?clickId=${unknown.clickId}`;
    expect((await limited.get(query)).json().code).toBe("insufficient_scope");
    expect((await service.call(query, { origin: null })).status).toBe(401);
  });
});
