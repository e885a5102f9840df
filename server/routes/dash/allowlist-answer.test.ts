import type { AllowlistAnswer } from "@offers/contract/dash/websites";
import { afterEach, describe, expect, test, vi } from "vitest";
import { countPermitted } from "../../core/allowlist-count.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite } from "../../core/sample-catalogue.ts";
import { countTurns } from "../../testing/count-turns.ts";
import { allowlistText, countInSlices } from "./allowlist-answer.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const offers = Array.from({ length: 100 }, (_, number) =>
  sampleOffer({
    ...{ id: `offer_${number}`, number, brand: `Brand "${number % 9}"`, vertical: `v${number % 3}` },
    geoCoverage: [["DE", "FR", "*"][number % 3] ?? "*"],
    status: number % 5 === 0 ? "paused" : "active",
  }),
);
const { publisherId, allowlist, ownBrand, geoRule } = sampleWebsite({
  ownBrand: 'brand "3"',
  allowlist: sampleAllowlist({ mode: "all", block: { verticals: ["v1"] } }),
});
const website = { publisherId, allowlist, ownBrand, geoRule, version: 3 };
const catalogue = sampleCatalogue({ offers });

/** What comes of it where each look at the time is a millisecond later, and how often others had their turn meanwhile. */
const inSlowTime = async <T>(work: () => Promise<T>): Promise<{ done: T; turns: number }> => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1;
    return now;
  });
  return countTurns(work);
};

describe("what an allowlist permits", () => {
  test("is counted as in one piece, and lets others have their turn every five milliseconds", async () => {
    const { done, turns } = await inSlowTime(() => countInSlices(catalogue, website));
    expect(done).toEqual(countPermitted(catalogue.rankedOffers(), website));
    expect(done.permitted).toBeGreaterThan(10);
    expect(turns).toBeGreaterThan(offers.length / 8);
  });

  test("is told with the verticals that are to be thought about first, by the names that offers give them", async () => {
    const dealt = sampleCatalogue({ offers: [sampleOffer({ vertical: "online-casino", status: "paused" })] });
    const told: AllowlistAnswer = JSON.parse(await allowlistText(dealt, website));
    expect(told.careful).toEqual(["gambling", "loans", "online-casino", "trading"]);
  });

  test("knows nothing of what the publisher is not offered", async () => {
    const strangers = ["publisher_other" as typeof publisherId];
    const both = [
      sampleOffer({ id: "offer_own", number: 1, onlyPublishers: [publisherId], geoCoverage: ["DE"] }),
      sampleOffer({
        ...{ id: "offer_others", number: 2, onlyPublishers: strangers, geoCoverage: ["FR"] },
        ...{ brand: "Private", vertical: "private-casino" },
      }),
      sampleOffer({
        ...{ id: "offer_not_here", number: 3, exceptPublishers: [publisherId], geoCoverage: ["ES"] },
        ...{ brand: "Withheld", vertical: "withheld-loans" },
      }),
    ];
    const ofAllowlist = { ...website, geoRule: { ...geoRule, mode: "allowlist" as const, entries: [] } };
    const known = sampleCatalogue({ offers: both });
    const text = await allowlistText(known, ofAllowlist);
    expect(text).not.toMatch(/private|withheld|offer_others|offer_not_here|"FR"|"ES"/i);
    const told: AllowlistAnswer = JSON.parse(text);
    expect(told.count).toMatchObject({ active: 1, permitted: 1 });
    expect(told.count.places.map(({ place }) => place)).toContain("DE");
    expect(told.count).toEqual(countPermitted(known.rankedOffers(), ofAllowlist));
  });

  test("is told with the offers to choose of, each in its place, and is written in slices as well", async () => {
    const { done, turns } = await inSlowTime(() => allowlistText(catalogue, website));
    const told: AllowlistAnswer = JSON.parse(done);
    expect(told).toMatchObject({
      ...{ allowlist, version: 3, count: countPermitted(catalogue.rankedOffers(), website) },
    });
    expect(told.verticals.map(({ vertical }) => vertical)).toEqual(["v0", "v1", "v2"]);
    expect(told.verticals[0]?.brands.map(({ brand }) => brand)).toEqual(['Brand "0"', 'Brand "6"']);
    const listed = told.verticals.flatMap(({ vertical, brands }) =>
      brands.flatMap(({ brand, offers: inBrand }) =>
        inBrand.map(({ offerId }) => [offerId, vertical, brand]),
      ),
    );
    const expected = offers
      .filter(({ status, brand }) => status === "active" && brand !== 'Brand "3"')
      .map(({ id, vertical, brand }) => [id, vertical, brand]);
    expect(listed.toSorted()).toEqual(expected.toSorted());
    expect(turns).toBeGreaterThan((offers.length + expected.length) / 8);
  });
});
