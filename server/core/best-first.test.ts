import fc from "fast-check";
import { expect, test } from "vitest";
import { visitBestFirst } from "./best-first.ts";
import type { Offer } from "./catalogue.ts";
import { createLearntRates } from "./click-rates.ts";
import { expectedRevenue, worthOf } from "./expected-revenue.ts";
import { chooseOffers } from "./offer-choice.ts";
import { rankOffers } from "./ranking-model-for-tests.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";
import { type RankedOffer, rankedOffer, type SortedOffers, sortOffers } from "./sorted-offers.ts";
import { joinedHash, stableHash } from "./stable-hash.ts";

/** An offer that is paid by its views: what it is expected to earn is certain, so nothing is drawn. */
const offer = (id: string, over: Partial<Offer> = {}) =>
  sampleOffer({ brand: id, payoutModel: "CPM", ...over, id: `offer_${id}` });

function choose(offers: Offer[], limit: number, request: string, isFunded = (_: number) => true) {
  const website = sampleWebsite();
  return chooseOffers({
    facts: { allowed: false, surface: "overlay", country: "DE", region: "BE", request },
    catalogue: sampleCatalogue({ websites: [website], offers }),
    rates: createLearntRates(),
    website,
    hasBudget: isFunded,
    ...unpaced,
    limit,
  });
}

function ranked(offers: Offer[], standardSlots = 6, request = "request-1") {
  const { premium, standard } = choose(offers, standardSlots, request);
  const names = (some: Offer[]) => some.map(({ id }) => id.slice("offer_".length)).join();
  return { premium: names(premium), standard: names(standard) };
}

const low = offer("low", { payoutMicros: 100 });
const mid = offer("mid", { payoutMicros: 200 });
const high = offer("high", { payoutMicros: 300 });
const cheapPremium = offer("cheap", { payoutMicros: 50, premium: true });
const dearPremium = offer("dear", { payoutMicros: 60, premium: true });

test.each([
  ["nothing to rank", [], 6, "", ""],
  ["the best is premium when none is flagged", [low, high, mid], 6, "high", "mid,low"],
  ["a flagged one is premium though it earns less", [low, cheapPremium, high], 6, "cheap", "high,low"],
  ["the best of the flagged is premium", [cheapPremium, high, dearPremium], 6, "dear", "high,cheap"],
  ["one alone is premium", [low], 6, "low", ""],
  ["one standard slot", [low, mid, high], 1, "high", "mid"],
  ["no standard slot", [low, mid, high], 0, "high", ""],
  ["the better of one brand", [high, offer("x", { brand: "MID", payoutMicros: 150 }), mid], 6, "high", "mid"],
  [
    "the better of one brand, met later",
    [high, offer("x", { brand: "b", payoutMicros: 150 }), offer("y", { brand: "B", payoutMicros: 250 }), mid],
    6,
    "high",
    "y,mid",
  ],
  [
    "the premium offer's brand is not repeated, even by its better offer",
    [cheapPremium, offer("x", { brand: "CHEAP", payoutMicros: 900 }), low],
    6,
    "cheap",
    "low",
  ],
] satisfies [string, Offer[], number, string, string][])("%s", (_, offers, slots, premium, standard) => {
  for (const order of [offers, offers.toReversed()]) {
    expect(ranked(order, slots)).toEqual({ premium, standard });
  }
});

test.each([
  ["CPC", 1_000_000, null, 5_000],
  ["CPM", 5_000_000, null, 5_000],
  ["CPA", 50_000_000, null, 5_000],
  ["CPL", 20_000_000, null, 5_000],
  ["REVSHARE", 50_000_000, null, 5_000],
  ["CPA", 50_000_000, 100, 2_500],
  ["CPL", 20_000_000, 10_000, 100_000],
  ["REVSHARE", 50_000_000, 1, 25],
] as const)(
  "%s with a payout of %d and a conversion rate of %s is expected to earn %d an impression at a click rate of half a percent",
  (payoutModel, payoutMicros, conversionRateBasisPoints, revenue) => {
    const offer = { payoutModel, payoutMicros, conversionRateBasisPoints };
    for (const rate of [1, null]) {
      expect(expectedRevenue(worthOf(offer, rate), 0.005)).toBeCloseTo(revenue, 6);
    }
  },
);

test("one request ranks alike each time, in whatever order the offers come", () => {
  const tied = Array.from({ length: 12 }, (_, at) => offer(`t${at}`));
  expect(ranked(tied, 6)).toEqual(ranked(tied.toReversed(), 6));
});

test("over many requests equal offers take the first place about equally often", () => {
  const tied = ["a", "b", "c", "d"].map((id) => offer(id));
  const wins = new Map<string, number>();
  for (let request = 0; request < 4_000; request += 1) {
    const { premium } = ranked(tied, 6, `request-${request}`);
    wins.set(premium, (wins.get(premium) ?? 0) + 1);
  }
  for (const { id } of tied) expect(wins.get(id.slice("offer_".length))).toBeGreaterThan(850);
});

const someOffers = fc.array(
  fc.record({
    brand: fc.constantFrom("a", "A", "b", "c", "d", "e"),
    payoutMicros: fc.integer({ min: 0, max: 5 }),
    premium: fc.boolean(),
  }),
  { maxLength: 12 },
);

test("no brand stands twice, nothing better is left out, and the best come first", () => {
  fc.assert(
    fc.property(someOffers, fc.integer({ min: 0, max: 4 }), (rows, standardSlots) => {
      const offers = rows.map((row, at) => offer(String(at), row));
      const { premium, standard } = choose(offers, standardSlots, "r");
      const shown = [...premium, ...standard];
      const brands = shown.map(({ brand }) => brand.toLowerCase());
      expect(new Set(brands).size).toBe(brands.length);
      const allBrands = new Set(offers.map(({ brand }) => brand.toLowerCase()));
      expect(premium).toHaveLength(Math.min(1, allBrands.size));
      expect(standard).toHaveLength(Math.min(standardSlots, Math.max(0, allBrands.size - 1)));
      const bestLeftOut = offers
        .filter(({ brand }) => !brands.includes(brand.toLowerCase()))
        .reduce((most, { payoutMicros }) => Math.max(most, payoutMicros), -1);
      const earned = standard.map(({ payoutMicros }) => payoutMicros);
      expect(earned).toEqual(earned.toSorted((one, other) => other - one));
      if (earned.length > 0) expect(earned.at(-1)).toBeGreaterThanOrEqual(bestLeftOut);
    }),
    { numRuns: 2_000 },
  );
});

const someCatalogue = fc.array(
  fc.record({
    brand: fc.integer({ min: 0, max: 20 }).map((brand) => `Brand ${brand}`),
    payoutMicros: fc.integer({ min: 0, max: 4 }).map((payout) => payout * 1000),
    payoutModel: fc.constantFrom("CPC" as const, "CPM" as const),
    premium: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
    geoCoverage: fc.constantFrom("*", "DE", "DE-BE", "DE FR", "DE-BE FR").map((places) => places.split(" ")),
    isFunded: fc.integer({ min: 0, max: 4 }).map((draw) => draw > 0),
  }),
  { maxLength: 64 },
);

test("2,000 catalogues are ranked as the plain rule ranks them", () => {
  fc.assert(
    fc.property(
      someCatalogue,
      fc.string({ minLength: 16, maxLength: 16 }),
      fc.integer({ min: 0, max: 20 }),
      (rows, request, standardSlots) => {
        const offers = rows.map(({ isFunded: _, ...row }, at) =>
          sampleOffer({ ...row, number: at + 1, id: `offer_${at}` }),
        );
        const isFunded = (number: number) => rows[number - 1]?.isFunded ?? false;
        const { premium, standard } = choose(offers, standardSlots, request, isFunded);
        const funded = offers.filter(({ number }) => isFunded(number));
        expect({ premium, standard }).toEqual(rankOffers(funded, { request, standardSlots }));
      },
    ),
    { numRuns: 2_000 },
  );
});

/** So many offers of equal score, spread over three lists. */
function equalOffers(count: number): SortedOffers[] {
  const all = Array.from({ length: count }, (_, at) =>
    rankedOffer(sampleOffer({ number: at, id: `offer_${String(at).padStart(5, "0")}` }), null),
  );
  const third = Math.floor(count / 3);
  return [all.slice(0, third), all.slice(third, third + 1), all.slice(third + 1)].map((offers) =>
    sortOffers({ offers }, () => 1),
  );
}

/** Offers of these scores, each a list of its own, with numbers from 0 on. */
function scoredLists(lists: readonly (readonly number[])[]): SortedOffers[] {
  let number = 0;
  return lists.map((scores) => {
    const known = new Map(
      scores.map((score) => {
        const id = `offer_${String(number).padStart(5, "0")}`;
        const one = [rankedOffer(sampleOffer({ number, id }), null), score] as const;
        number += 1;
        return one;
      }),
    );
    return sortOffers({ offers: [...known.keys()] }, (ranked) => known.get(ranked) ?? 0);
  });
}

test.each<[string, number[][], number[]]>([
  ["nothing of no list", [], []],
  ["nothing of an empty list", [[]], []],
  ["best first, in whatever order they come", [[1, 3, 2]], [1, 2, 0]],
  ["best first over all lists", [[9, 4, 1], [7, 2], [], [8, 3]], [0, 5, 3, 1, 6, 4, 2]],
])("offers of several scores are visited: %s", (_, lists, expected) => {
  const visited: number[] = [];
  visitBestFirst(scoredLists(lists), "request-1", ({ offer }) => {
    visited.push(offer.number);
    return "go on";
  });
  expect(visited).toEqual(expected);
  for (const most of expected.keys()) {
    expect(orderOf(scoredLists(lists), "request-1", most + 1)).toEqual(expected.slice(0, most + 1));
  }
});

test("up to 64 equal offers come in the order of their hashes with the request, wherever they stand", () => {
  const equal = (count: number) => Array.from({ length: count }, () => 5);
  for (const lists of [
    [equal(20), equal(1), equal(43)],
    [
      [9, 8, ...equal(30), 1],
      [9, ...equal(34), 3, 2],
    ],
  ]) {
    const sorted = scoredLists(lists);
    const best = sorted.flatMap(({ offers, scores }) => offers.filter((_, at) => scores[at] === 5));
    const hashOf = ({ hash }: RankedOffer) => joinedHash(stableHash("request-1"), hash);
    const expected = best.toSorted((one, other) => hashOf(other) - hashOf(one));
    const order = orderOf(sorted, "request-1", Number.POSITIVE_INFINITY);
    const ofThem = order.filter((number) => best.some(({ offer }) => offer.number === number));
    expect(ofThem).toEqual(expected.map(({ offer }) => offer.number));
  }
});

test("of two offers with one hash that of the lower id comes first, in whichever list it stands", () => {
  const alike = (id: string) => ({ ...rankedOffer(sampleOffer({ id }), null), hash: 1 });
  const idsOf = (...names: string[]) => {
    const ids: string[] = [];
    const lists = names.map((id) => sortOffers({ offers: [alike(id)] }, () => 1));
    visitBestFirst(lists, "request-1", ({ offer }) =>
      ids.push(offer.id) === names.length ? "enough" : "go on",
    );
    return ids;
  };
  expect(idsOf("a", "b", "c")).toEqual(["a", "b", "c"]);
  expect(idsOf("c", "a", "b")).toEqual(["a", "b", "c"]);
});

test("of any number of equal offers above 64 each is met once, behind better ones and before worse ones", () => {
  for (let count = 65; count <= 200; count += 1) {
    const half = Math.floor(count / 2);
    const equal = Array.from({ length: count }, () => 5);
    const sorted = scoredLists([
      [9, ...equal.slice(half), 1, 1],
      [8, 7, ...equal.slice(0, half), 2],
    ]);
    for (let request = 0; request < 12; request += 1) {
      const order = orderOf(sorted, `request-${request}`, Number.POSITIVE_INFINITY);
      expect(order.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: count + 6 }, (_, number) => number),
      );
      const scores = new Map(
        sorted.flatMap((list) =>
          list.offers.map(({ offer }, at) => [offer.number, list.scores[at]] as const),
        ),
      );
      const met = order.map((number) => scores.get(number) ?? 0);
      expect(met).toEqual(met.toSorted((one, other) => other - one));
    }
  }
});

/** In which order a request visits them, up to `most` of them. */
function orderOf(lists: SortedOffers[], request: string, most: number): number[] {
  const visited: number[] = [];
  visitBestFirst(lists, request, ({ offer }) => (visited.push(offer.number) === most ? "enough" : "go on"));
  return visited;
}

test.each([1, 2, 3, 64, 65, 67, 100, 3001])(
  "%d offers of equal score are each visited once, alike each time",
  (count) => {
    const lists = equalOffers(count);
    for (const request of ["one", "another"]) {
      const order = orderOf(lists, request, count);
      expect(order.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: count }, (_, at) => at),
      );
      expect(orderOf(lists, request, count)).toEqual(order);
    }
    if (count > 2) expect(orderOf(lists, "one", count)).not.toEqual(orderOf(lists, "another", count));
  },
);

test.each([5, 64, 65, 100])(
  "each of %d equal offers comes first, second and last of a few about equally often",
  (count) => {
    const lists = equalOffers(count);
    const places = [0, 1, Math.min(6, count - 1)];
    const counts = places.map(() => Array.from({ length: count }, () => 0));
    for (let request = 0; request < 200 * count; request += 1) {
      const order = orderOf(lists, `request-${request}`, 7);
      for (const [which, place] of places.entries()) {
        const [offer = 0, times] = [order[place], counts[which]];
        if (times) times[offer] = (times[offer] ?? 0) + 1;
      }
    }
    // 200 are expected with a deviation of 14: five of them either way.
    for (const times of counts.flat()) expect(Math.abs(times - 200)).toBeLessThan(70);
  },
);

test.each([20, 65])(
  "where one of %d equal offers is skipped, its share is spread over all others",
  (count) => {
    const lists = equalOffers(count);
    const heirs = Array.from({ length: count }, () => 0);
    for (let request = 0; request < 25 * count * count; request += 1) {
      const [first, second = 0] = orderOf(lists, `request-${request}`, 2);
      if (first === 7) heirs[second] = (heirs[second] ?? 0) + 1;
    }
    // 25 each are expected with a deviation of 5. Between 65 and the prime 67 lie two empty places. Each is met on
    // the way to one offer and on the way from another, and these heirs get twice as much.
    const others = heirs.filter((_, offer) => offer !== 7);
    expect(Math.min(...others)).toBeGreaterThan(3);
    expect(Math.max(...others)).toBeLessThan(90);
  },
);
