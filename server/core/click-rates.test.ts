import type { Surface } from "@offers/contract/words";
import { expect, test } from "vitest";
import { createLearntRates, meanRate, type RateCount } from "./click-rates.ts";
import { rateWith, type WebsiteCount } from "./website-factors.ts";

const offer = { number: 1, vertical: "games" };
const count = (over: Partial<RateCount>): RateCount => ({
  ...{ offer: 1, vertical: "games", country: "DE", placement: "standard", impressions: 0, clicks: 0 },
  ...over,
});
const ratesOf = (...counts: RateCount[]) => {
  const rates = createLearntRates();
  rates.apply({ version: 1, counts });
  return rates;
};
const known = { impressions: 3000, clicks: 300 };
/** (clicks + 300 · prior) / (impressions + 300) */
const upon = (prior: number, { impressions, clicks } = known) => (clicks + 300 * prior) / (impressions + 300);

test.each([
  ["nothing is known", [], "DE", 0.005],
  ["its own country is known", [known], "DE", upon(upon(upon(0.005)))],
  [
    "its own country is known of the premium place",
    [{ ...known, placement: "premium" }],
    "DE",
    upon(upon(upon(0.005))),
  ],
  [
    "its own country is known of both places",
    [
      { impressions: 2000, clicks: 100 },
      { impressions: 1000, clicks: 200, placement: "premium" },
    ],
    "DE",
    upon(upon(upon(0.005))),
  ],
  ["another country is known", [known], "FR", upon(upon(0.005))],
  ["another offer of its vertical is known", [{ ...known, offer: 2 }], "DE", upon(0.005)],
  ["an offer of another vertical is known", [{ ...known, offer: 2, vertical: "loans" }], "DE", 0.005],
  [
    "its own country was seen without a click",
    [known, { country: "FR", impressions: 600 }],
    "FR",
    upon(upon(upon(0.005, { impressions: 3600, clicks: 300 }), { impressions: 3600, clicks: 300 }), {
      impressions: 600,
      clicks: 0,
    }),
  ],
] satisfies [string, Partial<RateCount>[], string, number][])(
  "where %s, the rate backs off to what is nearest",
  (_, counts, country, wanted) => {
    const rates = ratesOf(...counts.map(count));
    expect(meanRate(rates.of(offer, country))).toBeCloseTo(wanted, 10);
  },
);

test("a count replaces the one before, and the version is that of the last change", () => {
  const rates = ratesOf(count(known));
  rates.apply({ version: 9, counts: [count({ impressions: 5000, clicks: 10 })] });
  const once = ratesOf(count({ impressions: 5000, clicks: 10 }));
  expect(rates.of(offer, "DE")).toEqual(once.of(offer, "DE"));
  expect(rates.drawnFrom(offer, "DE")).toEqual(once.drawnFrom(offer, "DE"));
  expect(rates.drawnFromOverall(offer)).toEqual(once.drawnFromOverall(offer));
  expect([rates.version, createLearntRates().version]).toEqual([9, 0]);
});

test("an offer that moves to another vertical is believed what that one's are", () => {
  const rates = ratesOf(count({ ...known, offer: 2, vertical: "loans" }));
  expect(meanRate(rates.of(offer, "DE"))).toBeCloseTo(0.005, 10);
  expect(meanRate(rates.of({ ...offer, vertical: "loans" }, "DE"))).toBeCloseTo(upon(0.005), 10);
});

test("what was counted of an offer that moves to another vertical is believed of its new siblings alone", () => {
  const rates = ratesOf(count(known));
  rates.regroup([
    { number: 1, vertical: "loans" },
    { number: 9, vertical: "loans" },
  ]);
  const afresh = ratesOf(count({ ...known, vertical: "loans" }));
  for (const vertical of ["games", "loans"]) {
    const sibling = { number: 2, vertical };
    expect(rates.of(sibling, "DE")).toEqual(afresh.of(sibling, "DE"));
    expect(rates.drawnFromOverall(sibling)).toEqual(afresh.drawnFromOverall(sibling));
  }
});

test.each([
  ["nothing is known", [], "overlay", 1, 1 + 4 / Math.sqrt(20)],
  ["as much was clicked as expected", [{ clicks: 80, expected: 80 }], "overlay", 1, 1.4],
  ["more was clicked", [{ clicks: 380, expected: 80 }], "overlay", 4, 4.8],
  ["less was clicked", [{ clicks: 5, expected: 480 }], "overlay", 0.05, 0.09],
  ["it was clicked on another surface", [{ clicks: 380, expected: 80 }], "section", 1, 1 + 4 / Math.sqrt(20)],
  [
    "another website is known",
    [{ clicks: 380, expected: 80, websiteId: 2 }],
    "overlay",
    1,
    1 + 4 / Math.sqrt(20),
  ],
  [
    "the surface does not matter, it is the best one",
    [
      { clicks: 5, expected: 480 },
      { clicks: 80, expected: 180, surface: "section" },
      { clicks: 30, expected: 480, surface: "decline" },
    ],
    ...([undefined, 0.5, 0.7] as const),
  ],
  [
    "the surface does not matter, one of which nothing is known is as usual",
    [{ clicks: 5, expected: 480, surface: "section" }],
    ...([undefined, 1, 1 + 4 / Math.sqrt(20)] as const),
  ],
  [
    "the surface does not matter, the best of each figure stands",
    [
      { clicks: 2020, expected: 1980 },
      { clicks: 5, expected: 480, surface: "section" },
    ],
    ...([undefined, 1.02, 1 + 4 / Math.sqrt(20)] as const),
  ],
  [
    "the latest count stands",
    [
      { clicks: 5, expected: 480 },
      { clicks: 380, expected: 80 },
    ],
    "overlay",
    4,
    4.8,
  ],
  [
    "a damaged table has none of them",
    [{ clicks: -500, expected: -500 }],
    "overlay",
    1,
    1 + 4 / Math.sqrt(20),
  ],
] satisfies [string, Partial<WebsiteCount>[], Surface | undefined, number, number][])(
  "where %s, a website has its factor",
  (_, websites, surface, mean, highest) => {
    const rates = createLearntRates();
    const there = { websiteId: 1, surface: "overlay", clicks: 0, expected: 0 } as const;
    for (const [at, over] of websites.entries()) {
      rates.apply({ version: at + 1, counts: [], websites: [{ ...there, ...over }] });
    }
    const factor = rates.factorOn(1, surface);
    expect(factor.mean).toBeCloseTo(mean, 10);
    expect(factor.highest).toBeCloseTo(highest, 1);
    rates.forget();
    expect(rates.factorOn(1, surface).mean).toBe(1);
  },
);

const drawnFrom = (...counts: RateCount[]) => ratesOf(...counts).drawnFrom(offer, "DE").standard;

test.each([
  ["nothing is known", [], 0.3, 29.7],
  ["its vertical is known to be bad", [{ offer: 2, impressions: 90_000, clicks: 1 }], 0.3, 29.7],
  ["its vertical is known to be good", [{ offer: 2, ...known }], 30 * upon(0.005), 30 * (1 - upon(0.005))],
  ["it is itself known to be bad", [{ impressions: 90_000, clicks: 1 }], 1.3, 90_028.7],
  [
    "those of another vertical are known to be clicked often, a third of that",
    [{ ...known, offer: 2, vertical: "loans" }],
    10 * upon(0.005),
    30 - 10 * upon(0.005),
  ],
  [
    "those of another vertical are clicked often in the other place",
    [{ ...known, offer: 2, vertical: "loans", placement: "premium" }],
    ...([0.3, 29.7] as const),
  ],
  [
    "another country was seen less than 3000 times",
    [{ country: "FR", impressions: 1970, clicks: 20 }],
    20.3,
    1979.7,
  ],
  [
    "another country was seen more often, and it a little",
    [
      { country: "FR", impressions: 29_970, clicks: 149 },
      { impressions: 100, clicks: 1 },
    ],
    (3000 * 149.3) / 30_000 + 1,
    (3000 * 29_850.7) / 30_000 + 99,
  ],
] satisfies [string, Partial<RateCount>[], number, number][])(
  "where %s, the draw believes so many clicks and misses",
  (_, counts, clicks, misses) => {
    const drawn = drawnFrom(...counts.map((over) => count(over)));
    expect(drawn.clicks).toBeCloseTo(clicks, 6);
    expect(drawn.misses).toBeCloseTo(misses, 6);
  },
);

test("a rate on a website is never above a click at every view", () => {
  expect([rateWith(3, 0.2), rateWith(20, 0.2)]).toEqual([expect.closeTo(0.6, 10), 1]);
});
