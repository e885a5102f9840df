import { expect, test } from "vitest";
import type { Offer } from "./catalogue.ts";
import { createLearntRates, type RateCount } from "./click-rates.ts";
import { chooseOffers } from "./offer-choice.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";
import type { WebsiteCount } from "./website-factors.ts";

const website = sampleWebsite();
const place = { country: "DE", region: "" };
const offersOf = (count: number, over: (at: number) => Partial<Offer> = () => ({})): Offer[] =>
  Array.from({ length: count }, (_, at) =>
    sampleOffer({ brand: `brand ${at}`, ...over(at), number: at + 1, id: `offer_${at}` }),
  );
const counted = (offer: number, placement: RateCount["placement"], clickRate: number): RateCount => ({
  ...{ offer, vertical: "books", country: "DE", placement },
  ...{ impressions: 100_000, clicks: Math.round(100_000 * clickRate) },
});

function ranking(given: {
  offers: Offer[];
  counts?: RateCount[];
  websites?: WebsiteCount[];
  currencies?: Map<string, number>;
  floor?: { micros: number; currency: string };
  version?: number;
}) {
  const { offers, counts = [], websites = [], currencies, floor = website.floor, version = 1 } = given;
  const catalogue = sampleCatalogue({ websites: [website], offers, ...(currencies && { currencies }) });
  const rates = createLearntRates();
  rates.apply({ version, counts, websites });
  return (request: string, limit = 6) => {
    const facts = { allowed: false, surface: "overlay" as const, ...place, request };
    const site = { ...website, floor };
    const hasBudget = () => true;
    const choice = chooseOffers({ facts, catalogue, rates, website: site, hasBudget, ...unpaced, limit });
    const numbers = (some: Offer[]) => some.map(({ number }) => number);
    return {
      premium: numbers(choice.premium),
      standard: numbers(choice.standard),
      empty: choice.emptyReason,
    };
  };
}

test("what is well known is ranked by price and click rate, in each place by the rates of that place", () => {
  const choose = ranking({
    offers: offersOf(3),
    counts: [
      ...[counted(1, "premium", 0.02), counted(2, "premium", 0.04), counted(3, "premium", 0.03)],
      ...[counted(1, "standard", 0.03), counted(2, "standard", 0.02), counted(3, "standard", 0.01)],
    ],
  });
  for (let request = 0; request < 50; request += 1) {
    expect(choose(`request-${request}`)).toMatchObject({ premium: [2], standard: [1, 3] });
  }
});

test.each([
  ["a usual website", [], 1],
  ["one where a third is clicked", [{ clicks: 300, expected: 1000 }], 2],
  [
    "one where a third is clicked on another surface",
    [{ clicks: 300, expected: 1000, surface: "section" }],
    1,
  ],
] satisfies [string, Partial<WebsiteCount>[], number][])(
  "what is paid by the click stands beside what is paid by the view as it is clicked on %s",
  (_, websites, first) => {
    // At 2 % each thousand views of the first are worth 2 EUR on a usual website.
    const offers = offersOf(2, (at) => (at === 1 ? { payoutModel: "CPM", payoutMicros: 1_000_000 } : {}));
    const counts = [counted(1, "premium", 0.02)];
    const there = { websiteId: website.id, surface: "overlay", clicks: 0, expected: 0 } as const;
    const choose = ranking({ offers, counts, websites: websites.map((over) => ({ ...there, ...over })) });
    for (let request = 0; request < 50; request += 1) {
      expect(choose(`request-${request}`).premium).toEqual([first]);
    }
  },
);

test.each([1, 5, 20])(
  "where %d times as much is clicked, what is paid by the click stands in the same order",
  (factor) => {
    const offers = offersOf(2, (at) => ({ payoutMicros: [1_000_000, 1_100_000][at] ?? 0 }));
    const counts = [counted(1, "premium", 0.1), counted(2, "premium", 0.06)];
    const there = {
      websiteId: website.id,
      surface: "overlay",
      clicks: factor * 1000,
      expected: 1000,
    } as const;
    const choose = ranking({ offers, counts, websites: [there] });
    for (let request = 0; request < 50; request += 1) {
      expect(choose(`request-${request}`).premium).toEqual([1]);
    }
  },
);

test("what is little known is tried now and then, and what is known to be bad hardly ever", () => {
  const choose = ranking({
    offers: offersOf(3),
    counts: [counted(1, "premium", 0.006), counted(2, "premium", 0.0005)],
  });
  const firsts = Array.from({ length: 2000 }, (_, request) => choose(`request-${request}`).premium[0]);
  const share = (offer: number) => firsts.filter((first) => first === offer).length / firsts.length;
  expect(share(3)).toBeGreaterThan(0.15);
  expect(share(1)).toBeGreaterThan(0.5);
  expect(share(2)).toBeLessThan(0.01);
});

test.each([0.1, 0.2, 0.3])(
  "beside offers that are clicked at %f, the first of another vertical is tried",
  (rate) => {
    const offers = offersOf(20, (at) => (at === 19 ? { vertical: "games" } : {}));
    const choose = ranking({
      offers,
      counts: offers
        .slice(0, 19)
        .flatMap(({ number }) => [counted(number, "premium", rate), counted(number, "standard", rate)]),
    });
    const firsts = Array.from({ length: 2000 }, (_, request) => choose(`request-${request}`).premium[0]);
    expect(firsts).toContain(20);
  },
);

test("one request ranks alike on every call, while catalogue and rates stand", () => {
  for (const count of [30, 400]) {
    const [one, other] = [
      ranking({ offers: offersOf(count) }),
      ranking({ offers: offersOf(count).toReversed() }),
    ];
    expect(one("a request", 20)).toEqual(other("a request", 20));
    expect(one("a request", 20)).not.toEqual(one("another", 20));
  }
});

test.each([
  [
    "by its worth, where both currencies have a rate",
    [
      ["EUR", 1],
      ["JPY", 0.006],
    ],
    [1, 2],
  ],
  ["last, where its currency has none", [["EUR", 1]], [1, 2]],
  ["first, where the other currency has none", [["JPY", 0.006]], [2, 1]],
  ["by its number alone, where no currency has a rate", [], [2, 1]],
] satisfies [string, [string, number][], number[]][])(
  "an offer in another currency is ranked %s",
  (_, table, wanted) => {
    const inYen = (at: number): Partial<Offer> =>
      at === 1 ? { currency: "JPY", payoutMicros: 900_000_000 } : {};
    const offers = offersOf(2, (at) => ({ payoutModel: "CPM", payoutMicros: 6_000_000, ...inYen(at) }));
    const { premium, standard } = ranking({ offers, currencies: new Map(table) })("a request");
    expect([...premium, ...standard]).toEqual(wanted);
  },
);

test.each([
  ["a usual website", 40, "no_offer_for_visit"],
  ["one where twice as much is clicked", 100, null],
])("a floor price is what an offer earns on its own website: %s", (_, clicks, empty) => {
  const choose = ranking({
    offers: offersOf(1),
    counts: [counted(1, "premium", 0.01)],
    websites: [{ websiteId: website.id, surface: "overlay", clicks, expected: 40 }],
    floor: { micros: 1_500_000, currency: "EUR" },
  });
  expect(choose("a request").empty).toBe(empty);
});

test("what does not reach the website's floor price is left out, and an answer without any says so", () => {
  const offers = offersOf(2, (at) => ({ payoutModel: "CPM", payoutMicros: 1_000_000 * (at + 1) }));
  const choose = (micros: number) => ranking({ offers, floor: { micros, currency: "EUR" } })("a request");
  expect(choose(1_500_000)).toMatchObject({ premium: [2], standard: [], empty: null });
  expect(choose(2_500_000)).toMatchObject({ premium: [], empty: "no_offer_for_visit" });
});

test("of a thousand offers the best known are found, though few of them are drawn", () => {
  const best = [977, 512, 3, 700, 64, 129, 256];
  const choose = ranking({
    offers: offersOf(1000),
    counts: offersOf(1000).flatMap(({ number }) => {
      const rate = best.includes(number) ? 0.06 - 0.005 * best.indexOf(number) : 0.001;
      return [counted(number, "premium", rate), counted(number, "standard", rate)];
    }),
  });
  for (let request = 0; request < 20; request += 1) {
    const { premium, standard } = choose(`request-${request}`);
    expect([...premium, ...standard]).toEqual(best);
  }
});

test.each([
  ["none is flagged", 0],
  ["one is flagged for the premium place, where nobody has seen the others", 1],
])("of two hundred offers at one price the standard places show the best known, when %s", (_, flagged) => {
  const [count, best] = [200, [195, 196, 197, 198, 199, 200]];
  const offers = offersOf(count, (at) => ({ premium: at < flagged }));
  const choose = ranking({
    offers,
    counts: offers.flatMap(({ number, premium }) => {
      const rate = best.includes(number) ? 0.05 : 0.001;
      const hasStoodInPremium = flagged === 0 || premium;
      return [
        counted(number, "standard", rate),
        ...(hasStoodInPremium ? [counted(number, "premium", 0.001)] : []),
      ];
    }),
  });
  for (let request = 0; request < 20; request += 1) {
    const { premium, standard } = choose(`request-${request}`);
    expect([...premium, ...standard]).toEqual(expect.arrayContaining(best));
  }
});

test.each([64, 65, 400])("what is known to be good in a country is found there among %i offers", (count) => {
  const everywhere = (number: number, clickRate: number, over: Partial<RateCount>): RateCount[] =>
    (["premium", "standard"] as const).map((place) => ({ ...counted(number, place, clickRate), ...over }));
  const choose = ranking({
    offers: offersOf(count),
    counts: [
      ...everywhere(1, 0, { country: "FR", impressions: 1_000_000, clicks: 1000 }),
      ...everywhere(1, 0, { impressions: 20_000, clicks: 1000 }),
      ...offersOf(count).flatMap(({ number }) => (number === 1 ? [] : everywhere(number, 0.01, {}))),
    ],
  });
  for (let request = 0; request < 20; request += 1) expect(choose(`request-${request}`).premium).toEqual([1]);
});

test("of a thousand equal offers of which nothing is known none is left out for good", () => {
  const choose = ranking({ offers: offersOf(1000) });
  const shown = new Set<number>();
  for (let request = 0; request < 1500; request += 1) {
    const { premium, standard } = choose(`request-${request}`);
    for (const number of [...premium, ...standard]) shown.add(number);
  }
  expect(shown.size).toBe(1000);
});

test("where many offers of one brand lead, the others are found for the places behind it", () => {
  const offers = offersOf(400, (at) => ({
    payoutModel: "CPM",
    payoutMicros: at < 300 ? 9_000_000 : 1_000_000,
    brand: at < 300 ? "One" : `Other ${at % 5}`,
  }));
  const { premium, standard } = ranking({ offers })("a request");
  expect(premium[0]).toBeLessThanOrEqual(300);
  expect(standard).toHaveLength(5);
});

/** The bar is for the median of a machine of its own; a test must hold on any. */
test.each([
  [1000, 1],
  [10_000, 10],
])("of %d eligible offers an answer is ranked in a median of less than %d ms", (count, mostMs) => {
  const offers = offersOf(count, (at) => ({
    payoutMicros: 100_000 + ((at * 7919) % 900_000),
    premium: at % 7 === 0,
  }));
  const counts = offers.map(({ number }) => counted(number, "standard", (number % 50) / 1000));
  const choose = ranking({ offers, counts });
  const times = Array.from({ length: 301 }, (_, request) => {
    const from = performance.now();
    choose(`request-${request}`);
    return performance.now() - from;
  });
  expect(times.sort((one, other) => one - other)[150]).toBeLessThan(mostMs);
});
