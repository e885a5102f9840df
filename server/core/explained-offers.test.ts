import type { PublisherId } from "@offers/contract/ids";
import {
  type DeviceClass,
  deviceClasses,
  type EmptyReason,
  type RemovalReason,
  removalReasons,
} from "@offers/contract/words";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Offer, Website } from "./catalogue.ts";
import { createLearntRates, meanRate } from "./click-rates.ts";
import { explainRequest } from "./explanation.ts";
import { factTypes } from "./fact.ts";
import type { HandedOffer } from "./handed-offers.ts";
import { type Choosing, chooseOffers, explainOffers } from "./offer-choice.ts";
import { requestKeyOf } from "./request-key.ts";
import type { StoryFact } from "./request-story.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";
import { stableHash } from "./stable-hash.ts";
import type { Suppression } from "./suppression.ts";
import { dayNumber } from "./utc-day.ts";

const loans: Suppression = { vulnerable: false, names: [stableHash("loans")] };
const visitor: Choosing["facts"] = {
  request: "0123456789abcdef",
  country: "DE",
  region: "BE",
  allowed: false,
  surface: "overlay",
};

type Situation = {
  offer?: Partial<Offer>;
  website?: Partial<Website>;
  facts?: Partial<Choosing["facts"]>;
  visitor?: Choosing["visitor"];
};

const own = [sampleWebsite().publisherId];
const others = ["publisher_other" as PublisherId];
const now = Date.UTC(2026, 0, 1, 12);
/** Offers whose budget is spread over the day have had all of it. */
const paced = {
  pacedSpend: (offer: number) => ({ offer, day: dayNumber(now), spentShare: 1, createdAt: 0 }),
  now,
};

/** What becomes of `offer_x`, which stands beside a better one. */
const explain = ({ offer, website: over, facts, visitor: who }: Situation, spent: readonly number[] = []) => {
  const website = sampleWebsite(over);
  const better = sampleOffer({ number: 1, id: "offer_better", brand: "Better", payoutMicros: 90_000_000 });
  const x = sampleOffer({ number: 2, brand: "X", ...offer, id: "offer_x" });
  const { emptyReason, offers } = explainOffers({
    facts: { ...visitor, ...facts },
    catalogue: sampleCatalogue({ websites: [website], offers: [better, x] }),
    website,
    rates: createLearntRates(),
    hasBudget: (number) => !spent.includes(number),
    ...paced,
    visitor: who,
  });
  const found = [...offers].find((one) => one.offer.id === "offer_x");
  return { emptyReason, found: found?.removedBy ?? found?.rank };
};

test.each([
  ["one that may be shown has a rank", {}, 2],
  ["a visitor who sees the page is shown nothing", { facts: { allowed: true } }, "visitor_allowed"],
  ["nor is one of a paused website", { website: { paused: true } }, "visitor_allowed"],
  ["unless the page has a section", { facts: { allowed: true, surface: "section" } }, 2],
  [
    "an empty allowlist",
    { website: { allowlist: sampleAllowlist({ mode: "allowlist" }) }, offer: { status: "paused" } },
    "allowlist_empty",
  ],
  ["a paused offer, wherever it is for", { offer: { status: "paused", geoCoverage: ["FR"] } }, "paused"],
  [
    "an offer for elsewhere, whoever permits it",
    {
      offer: { geoCoverage: ["FR"] },
      website: { allowlist: sampleAllowlist({ mode: "all", block: { brands: ["X"] } }) },
    },
    "no_offer_for_location",
  ],
  ["an offer for another region", { offer: { geoCoverage: ["DE-BY"] } }, "no_offer_for_location"],
  ["an offer of another publisher's", { offer: { onlyPublishers: others } }, "not_offered"],
  ["an offer that is kept from this one", { offer: { exceptPublishers: own } }, "not_offered"],
  ["an offer that others may not show", { offer: { exceptPublishers: others } }, 2],
  ["an offer for this one alone", { offer: { onlyPublishers: own } }, 2],
  [
    "what is not offered, whatever the allowlist says",
    {
      offer: { onlyPublishers: others },
      website: { allowlist: sampleAllowlist({ mode: "allowlist", allow: { brands: ["Better"] } }) },
    },
    "not_offered",
  ],
  [
    "what is not offered, though the allowlist names it",
    {
      offer: { exceptPublishers: own },
      website: { allowlist: sampleAllowlist({ mode: "allowlist", allow: { offers: ["offer_x"] } }) },
    },
    "not_offered",
  ],
  [
    "a blocked brand",
    { website: { allowlist: sampleAllowlist({ mode: "all", block: { brands: ["x"] } }) } },
    "not_permitted",
  ],
  [
    "what the allowlist does not name",
    { website: { allowlist: sampleAllowlist({ mode: "allowlist", allow: { brands: ["Better"] } }) } },
    "not_permitted",
  ],
  ["the website's own brand", { website: { ownBrand: "X" } }, "not_permitted"],
  ["an offer that has ended", { offer: { endsAt: "2025-12-31" } }, "not_running"],
  ["one that ends today", { offer: { endsAt: "2026-01-01" } }, 2],
  ["an offer for phones, for whoever may have one", { offer: { devices: ["phone"] } }, 2],
  [
    "an offer for phones, before a desktop",
    { offer: { devices: ["phone"] }, visitor: { device: "desktop" } },
    "not_for_visitor",
  ],
  [
    "a French offer, for whom no language is known",
    { offer: { languages: ["fr"] }, visitor: { language: null } },
    "not_for_visitor",
  ],
  [
    "a French offer on a phone, as far as is asked",
    { offer: { languages: ["fr"], devices: ["phone"] }, visitor: { device: "phone" } },
    2,
  ],
  ["one that has had its share of the day", { offer: { pacing: "even" } }, "not_its_turn"],
  [
    "one that earns less than the floor price",
    { website: { floor: { micros: 1_000_000, currency: "EUR" } }, offer: { payoutMicros: 1000 } },
    "no_offer_for_visit",
  ],
  ["a withheld vertical", { facts: { suppression: loans }, offer: { vertical: "loans" } }, "suppressed"],
  ["a brand that has a better offer", { offer: { brand: "BETTER", payoutMicros: 1 } }, "brand_shown"],
] satisfies [string, Situation, RemovalReason | number][])("%s", (_, situation, expected) => {
  expect(explain(situation).found).toBe(expected);
});

test("one whose budget is used up", () => {
  expect(explain({}, [2])).toEqual({ emptyReason: null, found: "budgets_exhausted" });
  expect(explain({}, [1, 2])).toEqual({ emptyReason: "budgets_exhausted", found: "budgets_exhausted" });
  const nothing = explain({ facts: { suppression: loans }, offer: { vertical: "loans" } }, [1]);
  expect(nothing).toEqual({ emptyReason: "suppressed", found: "suppressed" });
});

test("of many the less promising have no rank", () => {
  const website = sampleWebsite();
  const offers = Array.from({ length: 300 }, (_, at) =>
    sampleOffer({ number: at + 1, id: `offer_${at}`, brand: `Brand ${at}`, payoutMicros: 1000 * (at + 1) }),
  );
  const args = {
    facts: visitor,
    catalogue: sampleCatalogue({ websites: [website], offers }),
    website,
    rates: createLearntRates(),
    hasBudget: (number: number) => number !== 1,
    ...unpaced,
  };
  const explained = [...explainOffers(args).offers];
  const counted = Map.groupBy(explained, ({ removedBy }) => removedBy);
  expect([...counted].map(([reason, some]) => [reason, some.length])).toEqual([
    ["budgets_exhausted", 1],
    ["less_promising", 235],
    [null, 64],
  ]);
  expect(counted.get("less_promising")?.every(({ offer }) => offer.number <= 236)).toBe(true);
});

test("the parts of a score are what the offers stand by", () => {
  const website = sampleWebsite();
  const offers = Array.from({ length: 20 }, (_, at) =>
    sampleOffer({
      number: at + 1,
      id: `offer_${at}`,
      brand: `Brand ${at}`,
      payoutModel: at % 3 === 0 ? "CPM" : "CPC",
      payoutMicros: at % 3 === 0 ? 5_000_000 : 700_000,
      currency: at % 5 === 0 ? "CHF" : "EUR",
    }),
  );
  const catalogue = sampleCatalogue({ websites: [website], offers, currencies: new Map([["EUR", 1]]) });
  const rates = createLearntRates();
  const there = { websiteId: website.id, surface: visitor.surface };
  rates.apply({ version: 1, counts: [], websites: [{ ...there, clicks: 100, expected: 20 }] });
  const args = { facts: visitor, catalogue, website, rates, hasBudget: () => true, ...unpaced };
  const ranked = [...explainOffers(args).offers]
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  const parts = ranked.map((one) => one.parts());
  expect(parts).toHaveLength(20);
  for (const [at, part] of parts.entries()) {
    if (part === null) throw new Error("a ranked offer has its parts");
    const { perView, perClick, drawnRate, isComparable, rate, factor, score } = part;
    expect(factor).toBe(3);
    const revenue = perView + perClick * (drawnRate ?? 0);
    expect(score).toBeCloseTo(isComparable ? revenue : -1 / (1 + revenue), 6);
    expect(meanRate(rate)).toBeGreaterThan(0);
    if (at > 1) expect(score).toBeLessThanOrEqual(parts[at - 1]?.score ?? Number.NaN);
  }
  expect(parts.some((part) => part?.isComparable === false)).toBe(true);
});

const brands = ["Acme", "ACME", "Bolt", "Crest", "Dune"];
const verticals = ["books", "travel", "loans"];
const places = ["*", "DE", "US", "US-NJ", "US-NY", "FR"];
const someNames = fc.record({
  brands: fc.subarray(brands),
  verticals: fc.subarray(verticals),
  offers: fc.subarray(["offer_0", "offer_1", "offer_2"]),
});
const noNames = sampleAllowlist({ mode: "all" }).block;
const someOffer = fc.record({
  brand: fc.constantFrom(...brands),
  vertical: fc.constantFrom(...verticals),
  geoCoverage: fc.subarray(places, { minLength: 1 }),
  status: fc.constantFrom("active" as const, "active" as const, "paused" as const),
  premium: fc.boolean(),
  payoutModel: fc.constantFrom("CPC" as const, "CPM" as const, "CPL" as const),
  payoutMicros: fc.integer({ min: 1, max: 900 }).map((number) => number * 1000),
  hasBudget: fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0),
  pacing: fc.constantFrom("asap" as const, "asap" as const, "even" as const),
  endsAt: fc.constantFrom(null, null, "2025-12-31", "2026-01-01"),
  languages: fc.constantFrom<string[][]>([], [], ["de"]),
  devices: fc.constantFrom<DeviceClass[][]>([], [], ["phone"]),
  onlyPublishers: fc.constantFrom<PublisherId[][]>([], [], [], own, others),
  exceptPublishers: fc.constantFrom<PublisherId[][]>([], [], [], own, others),
});
const someVisit = fc.record({
  offers: fc.array(someOffer, { maxLength: 25 }),
  paused: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  allowlist: fc.record({
    mode: fc.constantFrom("allowlist" as const, "all" as const),
    allow: someNames,
    block: fc.oneof({ weight: 3, arbitrary: fc.constant(noNames) }, { arbitrary: someNames, weight: 1 }),
  }),
  ownBrand: fc.constantFrom("", "acme", "Bolt"),
  floor: fc.constantFrom(0, 0, 500_000),
  country: fc.constantFrom("DE", "US", "GB", "ZZ"),
  region: fc.constantFrom("", "NJ"),
  allowed: fc.boolean(),
  surface: fc.constantFrom("overlay" as const, "section" as const, "decline" as const),
  isProtected: fc.boolean(),
  request: fc.string({ minLength: 16, maxLength: 16 }),
  limit: fc.integer({ min: 0, max: 20 }),
  visitor: fc.record(
    {
      language: fc.constantFrom(null, "de-AT", "en"),
      device: fc.constantFrom(null, ...deviceClasses),
    },
    { requiredKeys: [] },
  ),
  spentShare: fc.double({ min: 0, max: 1, noNaN: true }),
});

test("in 5,000 visits every offer has a rank or a reason, and the ranks are what is chosen", () => {
  const met = new Set<RemovalReason | EmptyReason | null>();
  fc.assert(
    fc.property(someVisit, ({ offers: rows, limit, ...given }) => {
      const { paused, allowlist, ownBrand, floor, visitor: who, spentShare, ...visit } = given;
      const website = sampleWebsite({
        paused,
        allowlist,
        ownBrand,
        floor: { micros: floor, currency: "EUR" },
      });
      const offers = rows.map(({ hasBudget: _, ...row }, at) =>
        sampleOffer({ ...row, number: at + 1, id: `offer_${at}` }),
      );
      const { isProtected, ...plain } = visit;
      const args = {
        facts: isProtected ? { ...plain, suppression: loans } : plain,
        catalogue: sampleCatalogue({ websites: [website], offers }),
        website,
        rates: createLearntRates(),
        hasBudget: (number: number) => rows[number - 1]?.hasBudget ?? false,
        pacedSpend: (offer: number) => ({ ...paced.pacedSpend(offer), spentShare }),
        now,
        limit,
        visitor: who,
      };
      const choice = chooseOffers(args);
      const { emptyReason, offers: iterable } = explainOffers(args);
      const explained = [...iterable];
      const ranked = explained.filter(({ rank }) => rank !== null);
      const removed = explained.filter(({ removedBy }) => removedBy !== null);
      expect(emptyReason).toBe(choice.emptyReason);
      expect(explained.map(({ offer }) => offer.id).toSorted()).toEqual(
        offers.map(({ id }) => id).toSorted(),
      );
      expect(ranked.length + removed.length).toBe(offers.length);
      expect(ranked.map(({ rank }) => rank ?? 0).sort((one, other) => one - other)).toEqual(
        ranked.map((_, at) => at + 1),
      );
      const order = ranked.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
      const chosen = [...choice.premium, ...choice.standard].map(({ id }) => id);
      expect(order.slice(0, 1 + limit).map(({ offer }) => offer.id)).toEqual(chosen);
      if (emptyReason !== null) expect(ranked).toEqual([]);
      for (const { removedBy } of explained) met.add(removedBy);
    }),
    { numRuns: 5000 },
  );
  expect([...met].toSorted()).toEqual(
    [null, ...removalReasons.filter((reason) => reason !== "less_promising")].toSorted(),
  );
});

/** Many offers of few brands that promise much, so that an answer must look further for as many brands as it may have. */
const crowded = fc.record({
  request: fc
    .uint8Array({ minLength: 7, maxLength: 7 })
    .map((random) => requestKeyOf(Date.UTC(2026, 0, 1), random)),
  rich: fc.integer({ min: 120, max: 140 }),
  richBrands: fc.integer({ min: 1, max: 8 }),
  others: fc.integer({ min: 0, max: 40 }),
  limits: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 3 }),
});

test("of answers of any limit to a large catalogue, the first ranks are what the largest served", () => {
  const website = sampleWebsite({
    geoRule: { mode: "allowlist", entries: ["FR"], unknownLocation: "allow" },
  });
  fc.assert(
    fc.property(crowded, ({ request, rich, richBrands, others, limits }) => {
      const offers = Array.from({ length: rich + others }, (_, at) =>
        sampleOffer({
          number: at + 1,
          id: `offer_${at}`,
          brand: at < rich ? `Rich ${at % richBrands}` : `Other ${at}`,
          payoutMicros: at < rich ? 500_000 : 450_000,
          premium: at % 50 === 49,
        }),
      );
      const standing = {
        catalogue: sampleCatalogue({ websites: [website], offers }),
        rates: createLearntRates(),
        hasBudget: () => true,
        ...unpaced,
      };
      const answers = limits.map((limit) =>
        chooseOffers({ ...standing, facts: { ...visitor, request }, website, limit }),
      );
      const place = { websiteId: website.id, country: "DE", region: "BE", surface: visitor.surface };
      const told = explainRequest(
        {
          story: {
            request,
            place: { ...place, test: false, device: 0 },
            facts: answers.map((answer, seq) => answerFact(request, seq, answer)),
            hasMore: false,
            asked: null,
            offerIds: new Map(),
            suppression: undefined,
            changed: null,
          },
          sealed: null,
          website,
          dataSets: [],
          visitor: {},
        },
        standing,
      );
      const ranked = [...told.offers].filter(({ rank }) => rank !== null);
      const order = ranked.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
      const [largest] = answers.toSorted((one, other) => other.standard.length - one.standard.length);
      const served = [...(largest?.premium ?? []), ...(largest?.standard ?? [])].map(({ id }) => id);
      expect(served.length).toBeGreaterThan(0);
      expect(order.slice(0, served.length).map(({ offer }) => offer.id)).toEqual(served);
    }),
    { numRuns: 300 },
  );
});

const answerFact = (
  request: string,
  seq: number,
  { premium, standard }: Record<"premium" | "standard", readonly Offer[]>,
): StoryFact => {
  const handed = (placement: "premium" | "standard") => (offer: Offer, at: number) =>
    ({
      offer: offer.number,
      cell: 1,
      placement,
      position: at + 1,
      payoutModel: offer.payoutModel,
      priceMicros: 0,
      role: "new",
    }) satisfies HandedOffer;
  return {
    ...{ request, offer: 0, type: factTypes.served, seq, at: seq, reason: null, overruled: null, mark: null },
    ...{
      placement: null,
      position: null,
      billedMicros: null,
      earnedMicros: null,
      beaconAt: null,
      hopAt: null,
    },
    ...{ rates: 1, catalogue: 1, geoSource: null },
    offers: [...premium.map(handed("premium")), ...standard.map(handed("standard"))],
  };
};
