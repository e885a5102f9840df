import { describe, expect, test } from "vitest";
import { countPermitted } from "../../core/allowlist-count.ts";
import type { LiveCatalogue } from "../../core/compiled-catalogue.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite } from "../../core/sample-catalogue.ts";
import { offerFacts } from "../../core/website-facts.ts";
import { countTurns } from "../../testing/count-turns.ts";
import { createOfferFacts } from "./offer-facts.ts";

const places = ["DE", "FR", "US-NJ", "US", "*"];
const offers = Array.from({ length: 200 }, (_, number) =>
  sampleOffer({
    ...{ id: `offer_${number}`, number, brand: `Brand ${number % 9}`, vertical: `v${number % 7}` },
    geoCoverage: [places[number % 4] ?? "*", places[(number * 3) % 5] ?? "*"],
    status: number % 5 === 0 ? "paused" : "active",
  }),
);
const websites = Array.from({ length: 30 }, (_, number) =>
  sampleWebsite({
    ...{ id: number + 1, key: `ws_${number}`, ownBrand: number % 2 === 0 ? "" : "brand 3" },
    allowlist: sampleAllowlist({
      mode: "allowlist",
      allow: { verticals: ["v0", "v1", "v2", "v3", "v4"].slice(0, number % 6) },
    }),
    geoRule: {
      mode: number % 3 === 0 ? "allowlist" : "blocklist",
      entries: ["DE", "US-NJ", "IT"].slice(0, 1 + (number % 3)),
      unknownLocation: "block",
    },
  }),
);
const publisherId = sampleWebsite().publisherId;

/** A catalogue that counts how often all of its offers are read. */
const watched = (catalogue: LiveCatalogue) => {
  const read = { times: 0 };
  const ranked = catalogue.rankedOffers;
  const rankedOffers = () => {
    read.times += 1;
    return ranked();
  };
  return { read, catalogue: Object.defineProperty(catalogue, "rankedOffers", { value: rankedOffers }) };
};

describe("what the offers tell of websites", () => {
  test("is for each what it is alone, and reads all offers once until the catalogue changes", async () => {
    const { catalogue, read } = watched(sampleCatalogue({ websites, offers }));
    const { ofOne, ofAll } = createOfferFacts(() => catalogue);
    const expected = () =>
      new Map(
        websites.map((website) => [
          website.key,
          offerFacts(website, countPermitted(sampleCatalogue({ offers: now }).rankedOffers(), website)),
        ]),
      );
    let now = offers;
    expect(await ofAll(catalogue.websitesOf(publisherId))).toEqual(expected());
    expect(await ofAll(catalogue.websitesOf(publisherId))).toEqual(expected());
    expect(read.times).toBe(1);
    now = offers.map((offer) => ({ ...offer, status: "active" as const }));
    catalogue.apply({ version: 2, websites: [], offers: now });
    expect(await ofAll(catalogue.websitesOf(publisherId))).toEqual(expected());
    for (const website of catalogue.websitesOf(publisherId)) {
      expect(ofOne(website)).toEqual(expected().get(website.key));
    }
    expect(read.times).toBe(2);
    expect(new Set([...expected().values()].map((facts) => JSON.stringify(facts))).size).toBeGreaterThan(5);
  });

  test("is told each publisher of what it is offered, though its websites are set alike", () => {
    const [own, strangers] = [publisherId, "publisher_other" as typeof publisherId];
    const alike = [own, strangers].map((publisher, at) =>
      sampleWebsite({ id: at + 1, key: `ws_${at}`, publisherId: publisher }),
    );
    const ofOwn = sampleOffer({ onlyPublishers: [own] });
    const catalogue = sampleCatalogue({ websites: alike, offers: [ofOwn] });
    const { ofOne } = createOfferFacts(() => catalogue);
    const counted = () => alike.map(({ key }) => ofOne(catalogue.website(key) ?? sampleWebsite()).offers);
    expect(counted()).toEqual([
      { active: 1, permitted: 1 },
      { active: 0, permitted: 0 },
    ]);
    catalogue.apply({ version: 2, websites: [], offers: [{ ...ofOwn, onlyPublishers: [] }] });
    expect(counted()).toEqual(Array(2).fill({ active: 1, permitted: 1 }));
  });

  test("lets others have their turn between the websites", async () => {
    const many = Array.from({ length: 5000 }, (_, number) =>
      sampleOffer({ id: `offer_${number}`, number, vertical: `v${number % 50}` }),
    );
    const distinct = Array.from({ length: 40 }, (_, number) =>
      sampleWebsite({
        ...{ id: number + 1, key: `ws_${number}` },
        allowlist: sampleAllowlist({ mode: "allowlist", allow: { verticals: [`v${number}`] } }),
      }),
    );
    const catalogue = sampleCatalogue({ websites: distinct, offers: many });
    const { done: facts, turns } = await countTurns(() =>
      createOfferFacts(() => catalogue).ofAll(catalogue.websitesOf(publisherId)),
    );
    expect(facts.size).toBe(40);
    expect(turns).toBeGreaterThan(1);
  });
});
