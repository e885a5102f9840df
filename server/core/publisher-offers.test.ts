import { surfaces } from "@offers/contract/words";
import { describe, expect, it } from "vitest";
import { createLearntRates } from "./click-rates.ts";
import { publisherOffers, visitOffers } from "./publisher-offers.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "./sample-catalogue.ts";

const location = { country: "DE", region: "" };
const offers = [
  sampleOffer({ number: 1, id: "offer_c", brand: "Cable", vertical: "travel" }),
  sampleOffer({ number: 2, id: "offer_a", brand: "Anchor", vertical: "books", payoutModel: "CPM" }),
  sampleOffer({ number: 3, id: "offer_b", brand: "Buoy", vertical: "travel", geoCoverage: ["DE"] }),
  sampleOffer({ id: "offer_d", brand: "Deck", geoCoverage: ["FR"] }),
  sampleOffer({ id: "offer_e", brand: "Epoch", status: "paused" }),
];
const only = (vertical: string) => sampleAllowlist({ mode: "allowlist", allow: { verticals: [vertical] } });
const travel = sampleWebsite({ id: 1, key: "ws_travel", allowlist: only("travel") });
const books = sampleWebsite({ id: 2, key: "ws_books", allowlist: only("books") });
const nothing = sampleWebsite({
  id: 3,
  key: "ws_nothing",
  allowlist: sampleAllowlist({ mode: "allowlist" }),
});
const catalogue = sampleCatalogue({ websites: [travel, books, nothing], offers });
const found = (websites = [travel, books, nothing], wish = {}, spent: readonly number[] = []) =>
  publisherOffers(
    {
      catalogue,
      websites,
      location,
      rates: createLearntRates(),
      hasBudget: (offer) => !spent.includes(offer),
      ...unpaced,
    },
    wish,
  ).map(({ id }) => id);

describe("a publisher's offers", () => {
  it("are what any of the websites may show, each once, in the order of their ids", () => {
    expect(found()).toEqual(["offer_a", "offer_b", "offer_c"]);
    expect(found([travel, travel])).toEqual(["offer_b", "offer_c"]);
    expect(found([nothing])).toEqual([]);
    expect(found([])).toEqual([]);
  });

  it("lack what earns less than the floor on every surface, or on the one that is asked for", () => {
    const floor = { micros: 450_000, currency: "EUR" };
    const websites = [{ ...travel, floor }];
    const rates = createLearntRates();
    const poor = { websiteId: travel.id, surface: "section", clicks: 0, expected: 400 } as const;
    const args = { catalogue, websites, location, rates, hasBudget: () => true, ...unpaced };
    const ids = (surface?: "overlay" | "section") =>
      publisherOffers({ ...args, surface }, {}).map(({ id }) => id);
    const all = ["offer_b", "offer_c"];
    expect([ids(), ids("overlay"), ids("section")]).toEqual([all, all, all]);
    rates.apply({ version: 1, counts: [], websites: [poor] });
    // Where nothing was counted is a usual surface.
    expect([ids(), ids("overlay"), ids("section")]).toEqual([all, all, []]);
    const facts = { request: "0123456789abcdef", websiteId: travel.id, allowed: false, ...location };
    const sealed = { ...facts, visitor: "", issuedAt: 0, test: false };
    const visited = (surface: "overlay" | "section") =>
      visitOffers({ ...args, website: { ...travel, floor }, facts: { ...sealed, surface } }, {});
    expect([visited("overlay").length, visited("section").length]).toEqual([2, 0]);
    rates.apply({ version: 2, counts: [], websites: surfaces.map((surface) => ({ ...poor, surface })) });
    expect([ids(), ids("overlay"), ids("section")]).toEqual([[], [], []]);
    rates.apply({ version: 3, counts: [], websites: [{ ...poor, surface: "overlay", clicks: 400 }] });
    expect([ids(), ids("overlay"), ids("section")]).toEqual([all, all, []]);
  });

  it("lack what nobody pays for any more", () => {
    expect(found(undefined, {}, [3])).toEqual(["offer_a", "offer_c"]);
  });

  it.each([
    [{ vertical: "travel" }, ["offer_b", "offer_c"]],
    [{ brand: "Anchor" }, ["offer_a"]],
    [{ brand: "anchor" }, ["offer_a"]],
    [{ brand: "anchors" }, []],
    [{ payoutModel: "CPM" }, ["offer_a"]],
    [{ vertical: "travel", brand: "Anchor" }, []],
  ])("are only those that fit %j", (wish, ids) => {
    expect(found(undefined, wish)).toEqual(ids);
  });
});
