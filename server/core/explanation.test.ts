import type { DeviceClass, Surface } from "@offers/contract/words";
import { describe, expect, test } from "vitest";
import type { Offer, Website } from "./catalogue.ts";
import { createLearntRates } from "./click-rates.ts";
import { deviceNumber } from "./device-class.ts";
import { explainRequest } from "./explanation.ts";
import { eventIdOf, type FactKey, factTypes } from "./fact.ts";
import { geoSourceNumber } from "./geo-source.ts";
import type { HandedOffer } from "./handed-offers.ts";
import type { RequestFacts } from "./request-id.ts";
import { requestKeyOf } from "./request-key.ts";
import type { RequestStory, StoryFact, StoryPlace } from "./request-story.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";
import { stableHash } from "./stable-hash.ts";
import type { Suppression } from "./suppression.ts";

const at = Date.UTC(2026, 10, 20, 12);
const request = requestKeyOf(at, new Uint8Array(7));
const iso = (ms: number) => new Date(at + ms).toISOString();
const geoRule: Website["geoRule"] = { mode: "allowlist", entries: ["FR"], unknownLocation: "allow" };
const offers = [1, 2, 3].map((number) =>
  sampleOffer({ number, id: `offer_${number}`, brand: `Brand ${number}` }),
);
const place: StoryPlace = {
  ...{ websiteId: 1, country: "DE", region: "BE", surface: "overlay", test: false, device: 0 },
};

const story = (over: Partial<RequestStory> = {}): RequestStory => ({
  ...{ request, place, facts: [], hasMore: false, asked: null, suppression: undefined, changed: null },
  offerIds: new Map(offers.map(({ number, id }) => [number, id])),
  ...over,
});
/** Of another place than the story, so that it is seen which of them is told. */
const sealed = (over: Partial<RequestFacts> = {}): RequestFacts => ({
  ...{ request, websiteId: 1, country: "US", region: "NJ", allowed: false, surface: "overlay", test: true },
  ...{ visitor: null, issuedAt: at },
  ...over,
});
const fact = (type: StoryFact["type"], over: Partial<StoryFact> = {}): StoryFact => ({
  ...{ request, offer: 0, type, seq: 0, at, reason: null, overruled: null, mark: null, offers: null },
  ...{ placement: null, position: null, billedMicros: null, earnedMicros: null, beaconAt: null, hopAt: null },
  ...{ rates: null, catalogue: null, geoSource: null },
  ...over,
});
const handed = (offer: number, over: Partial<HandedOffer> = {}): HandedOffer => ({
  ...{ offer, cell: 1, placement: "standard", position: offer, payoutModel: "CPC", role: "new" },
  priceMicros: 1000 * offer,
  ...over,
});

type Asked = {
  story?: Partial<RequestStory>;
  sealed?: RequestFacts | null;
  website?: Partial<Website>;
  visitor?: Parameters<typeof explainRequest>[0]["visitor"];
  offers?: Offer[];
};
const explain = ({
  story: given,
  sealed: by = null,
  website: own,
  visitor = {},
  offers: all = offers,
}: Asked) => {
  const website = sampleWebsite({ geoRule, ...own });
  return explainRequest(
    { story: story(given), sealed: by, website, dataSets: [], visitor },
    {
      catalogue: sampleCatalogue({ websites: [website], offers: all }),
      rates: createLearntRates(),
      hasBudget: () => true,
      ...unpaced,
    },
  );
};

test("where a request was made is told by its requestId, and without one by what is stored of it", () => {
  const ofEvent = explain({}).told;
  expect(ofEvent).toMatchObject({ surface: "overlay", test: false, at: iso(0) });
  expect(ofEvent.decision).toMatchObject({ country: "DE", region: "BE" });
  const ofRequest = explain({ sealed: sealed({ surface: "section" }) }).told;
  expect(ofRequest).toMatchObject({ surface: "section", test: true });
  expect(ofRequest.decision).toMatchObject({ country: "US", region: "NJ" });
  expect(explain({ story: { place: null }, sealed: sealed() }).told.decision.country).toBe("US");
  expect(() => explain({ story: { place: null } })).toThrow("nothing is known of the request");
});

const blocked = fact(factTypes.blocked);
test.each<[string, RequestFacts | null, StoryFact[], boolean | null]>([
  ["as the requestId says", sealed({ allowed: true }), [], true],
  ["as the requestId says, whatever is stored", sealed({ allowed: true }), [blocked], true],
  ["as the requestId of a blocked visitor says", sealed(), [], false],
  ["no, of whom a blocked visit is stored", null, [fact(factTypes.drawn), blocked], false],
  ["not known, of whom other events are stored", null, [fact(factTypes.served)], null],
])("whether the visitor was let through is told %s", (_, by, facts, allowed) => {
  expect(explain({ sealed: by, story: { facts } }).told.decision.allowed).toBe(allowed);
});

const loans: Suppression = { vulnerable: false, names: [stableHash("loans")] };
test.each<[string, Surface, RequestFacts | null, Suppression | null | undefined, boolean | null]>([
  ["nothing, of an overlay", "overlay", null, undefined, false],
  ["not known, of a decline whose session has gone", "decline", null, undefined, null],
  ["nothing, of a decline that withholds nothing", "decline", null, null, false],
  ["what the session says", "decline", null, loans, true],
  ["nothing, as the requestId says", "decline", sealed({ surface: "decline" }), loans, false],
  ["what the requestId says", "decline", sealed({ surface: "decline", suppression: loans }), undefined, true],
])("what was withheld from the visitor is %s", (_, surface, by, suppression, suppresses) => {
  const [lent, ...others] = offers;
  const { told, offers: all } = explain({
    sealed: by,
    story: { place: { ...place, surface }, suppression },
    offers: [{ ...sampleOffer(lent), vertical: "loans" }, ...others],
  });
  expect(told.decision.suppresses).toBe(suppresses);
  const removed = [...all].filter(({ removedBy }) => removedBy === "suppressed");
  expect(removed).toHaveLength(suppresses ? 1 : 0);
});

const byHint = geoSourceNumber("hint", null);
const simulated = geoSourceNumber("simulated", null);
const versioned = (catalogue: number | null, geoSource: number | null) =>
  fact(factTypes.served, { catalogue, geoSource });
test.each<[string, RequestFacts | null, StoryFact[], number | null, string | null]>([
  [
    "by the requestId",
    sealed({ decidedBy: { catalogue: 9, geoSource: simulated } }),
    [versioned(5, byHint)],
    9,
    "simulated",
  ],
  ["by an event, where the requestId is of before", sealed(), [versioned(5, byHint)], 5, "hint"],
  [
    "by the first event that knows",
    null,
    [versioned(null, null), versioned(5, byHint), versioned(6, simulated)],
    5,
    "hint",
  ],
  ["not at all, where no event knows", null, [versioned(null, null)], null, null],
])("what a request was decided by is told %s", (_, by, facts, catalogueVersion, basis) => {
  const { decision } = explain({ sealed: by, story: { facts } }).told;
  expect([decision.catalogueVersion, decision.geo?.basis ?? null]).toEqual([catalogueVersion, basis]);
});

test.each<[string, Surface, string[], boolean, string | null, string]>([
  ["who would be blocked", "overlay", ["FR"], false, "country_not_allowed", "mode"],
  ["who would be let through", "overlay", ["DE"], true, null, "entry"],
  ["who declines where others are let through", "decline", ["DE"], false, null, "declined"],
  ["who declines where others are blocked", "decline", ["FR"], false, null, "declined"],
])("how things stand now is told of a visitor %s", (_, surface, entries, allowed, reason, line) => {
  const { now } = explain({
    story: { place: { ...place, surface } },
    website: { geoRule: { ...geoRule, entries } },
  }).told;
  expect(now).toMatchObject({ allowed, reason, rule: { line, mode: "allowlist" }, catalogueVersion: 1 });
});

test("how things stand now is told of a decline on a website that is paused by now", () => {
  const { now } = explain({
    story: { place: { ...place, surface: "decline" } },
    website: { paused: true },
  }).told;
  expect(now).toMatchObject({
    ...{ allowed: true, reason: null, rule: { line: "paused" }, emptyReason: "visitor_allowed" },
  });
});

test("what has changed since is told where it is known, and so is the event that was asked for", () => {
  const plain = explain({}).told;
  expect([plain.eventId, plain.moreEvents]).toEqual([null, false]);
  expect([plain.now.websiteChanged, plain.now.offersChanged]).toEqual([null, null]);
  const asked: FactKey = { request, offer: 2, type: factTypes.click, seq: 0 };
  const known = explain({ story: { asked, hasMore: true, changed: { website: true, offers: 2 } } }).told;
  expect([known.eventId, known.moreEvents]).toEqual([eventIdOf(asked), true]);
  expect([known.now.websiteChanged, known.now.offersChanged]).toEqual([true, 2]);
});

const tablets = sampleOffer({ devices: ["tablet"] });
test.each<[string, DeviceClass | null, DeviceClass | null | undefined, number | null]>([
  ["that is asked about", "desktop", "tablet", 1],
  ["of the events, where none is asked about", "tablet", undefined, 1],
  ["of the events, which is another one", "desktop", undefined, null],
  ["that nobody knows, which does not matter", null, undefined, 1],
])("offers are explained for the device %s", (_, stored, asked, rank) => {
  const given = { visitor: { device: asked }, offers: [tablets] };
  const ofEvents = explain({ ...given, story: { place: { ...place, device: deviceNumber(stored) } } });
  expect([...ofEvents.offers].map((one) => one.rank)).toEqual([rank]);
  const { offers: withoutEvents } = explain({ ...given, sealed: sealed(), story: { place: null } });
  expect(
    [...withoutEvents].map((one) => one.rank),
    "where nothing is stored",
  ).toEqual([1]);
});

describe("what was handed out is told", () => {
  const answer = (ms: number, ...some: HandedOffer[]) =>
    fact(factTypes.served, { at: at + ms, offers: some, catalogue: 7, rates: ms });
  const link = (ms: number, ...some: HandedOffer[]) =>
    fact(factTypes.noted, { at: at + ms, offers: some, catalogue: 7, rates: ms });
  const report = (ms: number, offer: number) => answer(ms, handed(offer, { position: 0, placement: null }));
  test.each<[string, StoryFact[], [string | null, number, number | null][]]>([
    [
      "in the order of the answers",
      [answer(1, handed(2), handed(1)), answer(2, handed(3))],
      [
        ["offer_2", 1, 2],
        ["offer_1", 1, 1],
        ["offer_3", 2, 3],
      ],
    ],
    [
      "once, by its first answer",
      [answer(1, handed(1)), answer(2, handed(1), handed(2))],
      [
        ["offer_1", 1, 1],
        ["offer_2", 2, 2],
      ],
    ],
    ["by no repetition", [answer(1, handed(1, { role: "repeated" }))], []],
    ["by no answer that was refused", [{ ...answer(1, handed(1)), reason: "paused" }], []],
    [
      "by the decision that it came with",
      [
        fact(factTypes.blocked, { at: at + 1, offers: [handed(1, { role: "noted" })] }),
        answer(2, handed(1, { role: "repeated" })),
      ],
      [["offer_1", 1, 1]],
    ],
    ["by the answer rather than by a link", [link(1, handed(1)), answer(2, handed(1))], [["offer_1", 2, 1]]],
    ["by a link rather than by a server's report", [report(1, 1), link(2, handed(1))], [["offer_1", 2, 1]]],
    [
      "by a server's report where there is nothing else, without a position",
      [report(3, 1)],
      [["offer_1", 3, null]],
    ],
    ["without a name where the catalogue does not know it", [answer(1, handed(9))], [[null, 1, 9]]],
  ])("%s", (_, facts, expected) => {
    const { told, servedMicros } = explain({ story: { facts } });
    expect(told.served.map(({ offerId, at: when, position }) => [offerId, when, position])).toEqual(
      expected.map(([offerId, ms, position]) => [offerId, iso(ms), position]),
    );
    const numberOf = new Map<string | null, number>([
      ...offers.map(({ id, number }) => [id, number] as const),
      [null, 9],
    ]);
    expect(servedMicros).toEqual(expected.map(([offerId]) => 1000 * (numberOf.get(offerId) ?? 0)));
  });

  test("with its place and the versions that it was chosen by", () => {
    const { served } = explain({ story: { facts: [answer(4, handed(1, { placement: "premium" }))] } }).told;
    expect(served).toEqual([
      {
        ...{ offerId: "offer_1", placement: "premium", position: 1, at: iso(4) },
        ...{ catalogueVersion: 7, ratesVersion: 4 },
      },
    ]);
  });
});

describe("an event is told", () => {
  const none = { overruled: null, mark: null, billed: false, beaconAt: null, hopAt: null };
  const counted = { ...none, offerId: null, placement: null, position: null, counts: true, reason: null };
  const own = { offer: 2, placement: "premium", position: 1 } as const;
  const ofOffer = { ...counted, offerId: "offer_2", placement: "premium", position: 1 };
  const both = [handed(1, { position: 0 }), handed(2, { role: "repeated" })];
  const one = { ...counted, offerId: "offer_1", placement: "standard" };
  const two = { ...one, offerId: "offer_2", position: 2 };
  test.each<[string, StoryFact, object[], (number | null)[]]>([
    ["of a blocked visit", blocked, [{ ...counted, type: "blocked" }], [null]],
    [
      "of a view, with its beacon",
      fact(factTypes.impression, { ...own, beaconAt: at + 5, billedMicros: 50, overruled: "bot" }),
      [{ ...ofOffer, type: "impression", billed: true, beaconAt: iso(5), overruled: "bot" }],
      [50],
    ],
    [
      "of a click, with its hop, and that it was billed though that was nothing",
      fact(factTypes.click, { ...own, hopAt: at + 6, billedMicros: 0, mark: "unregistered_referrer" }),
      [{ ...ofOffer, type: "click", billed: true, hopAt: iso(6), mark: "unregistered_referrer" }],
      [0],
    ],
    [
      "of a refused click of an offer that the catalogue does not know",
      fact(factTypes.click, { offer: 9, reason: "bot" }),
      [{ ...counted, type: "click", counts: false, reason: "bot" }],
      [null],
    ],
    [
      "of each offer of an answer",
      fact(factTypes.served, { offers: both }),
      [
        { ...one, type: "served" },
        { ...two, type: "served", counts: false, reason: "duplicate" },
      ],
      [null, null],
    ],
    [
      "of each offer of a refused answer",
      fact(factTypes.repeatedAnswer, { offers: both, reason: "rate" }),
      [one, two].map((some) => ({ ...some, type: "served", counts: false, reason: "rate" })),
      [null, null],
    ],
    [
      "of what was drawn",
      fact(factTypes.drawn, { offers: [handed(2)] }),
      [{ ...two, type: "drawn" }],
      [null],
    ],
    ["of no link", fact(factTypes.noted, { offers: both }), [], []],
    ["of no answer without offers", fact(factTypes.served), [], []],
  ])("%s", (_, stored, events, micros) => {
    const { told, billedMicros } = explain({ story: { facts: [stored] } });
    const named = { eventId: eventIdOf(stored), at: iso(0) };
    expect(told.events).toEqual(events.map((event) => ({ ...named, ...event })));
    expect(billedMicros).toEqual(micros);
  });
});

describe("offers are explained as to an answer of so many standard offers", () => {
  const slots = (premium: number, standard: number) => [
    ...Array.from({ length: premium }, () => handed(1, { placement: "premium", position: 1 })),
    ...Array.from({ length: standard }, (_, index) => handed(2 + index, { position: index + 1 })),
  ];
  const answer = (standard: number) => fact(factTypes.served, { offers: slots(1, standard) });
  /** One brand promises the most, so that of the others as many are found as an answer may have. */
  const crowd = Array.from({ length: 92 }, (_, index) =>
    sampleOffer({
      ...{ number: index + 1, id: `offer_${index}`, payoutModel: "CPM" },
      ...{ brand: index < 80 ? "Rich" : `Other ${index}`, payoutMicros: index < 80 ? 900_000 : 500_000 },
    }),
  );
  test.each<[string, StoryFact[], number]>([
    ["the usual six, where none was handed out", [], 6],
    ["as it had", [answer(2)], 2],
    ["as the largest of several had", [answer(2), answer(9), answer(4)], 9],
    [
      "none, where a decision came with the best alone",
      [fact(factTypes.blocked, { offers: slots(1, 0) })],
      0,
    ],
    ["as one had that handed out nothing new", [fact(factTypes.repeatedAnswer, { offers: slots(1, 3) })], 3],
    ["the usual six, where the answer was empty", [fact(factTypes.served, { offers: [] })], 6],
    ["the usual six, of a blocked visit without an offer", [blocked], 6],
    ["the usual six, where a server got links", [fact(factTypes.noted, { offers: slots(1, 2) })], 6],
    [
      "the usual six, where a server says what it showed",
      [fact(factTypes.served, { offers: [handed(1, { position: 0 })] })],
      6,
    ],
  ])("%s", (_, facts, others) => {
    const ranked = [...explain({ story: { facts }, offers: crowd }).offers].filter(
      ({ rank }) => rank !== null,
    );
    expect(ranked.filter(({ offer }) => offer.brand !== "Rich")).toHaveLength(others);
  });
});
