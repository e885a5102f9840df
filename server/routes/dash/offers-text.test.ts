import { type DashOffers, dashOffersQuery } from "@offers/contract/dash/looking";
import { afterEach, expect, test, vi } from "vitest";
import { keptAwayBy } from "../../core/kept-away.ts";
import { sampleAllowlist, sampleCatalogue, sampleOffer, sampleWebsite } from "../../core/sample-catalogue.ts";
import { countTurns } from "../../testing/count-turns.ts";
import { offersText } from "./offers-text.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const offers = Array.from({ length: 30 }, (_, number) =>
  sampleOffer({ id: `offer_${number}`, number, brand: `Brand "${number}"`, vertical: `v${number % 3}` }),
);
const websites = ["v1", "v2"].map((vertical, at) =>
  sampleWebsite({
    ...{ id: at + 1, key: `ws_${at}` },
    allowlist: sampleAllowlist({ mode: "all", block: { verticals: [vertical] } }),
  }),
);
const catalogue = sampleCatalogue({ websites, offers });

test("a page of a publisher's offers is written in slices, each offer with all of their websites", async () => {
  // Each look at the time is a millisecond later.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1;
    return now;
  });
  const asked = (query: object) =>
    countTurns(() => offersText(catalogue, websites, dashOffersQuery.parse(query)));
  const all = await asked({ pageSize: "100" });
  const told: DashOffers = JSON.parse(all.done);
  expect(told).toMatchObject({ page: 1, pageSize: 100, total: 30, verticals: ["v0", "v1", "v2"] });
  for (const { offerId, websites: ofOffer } of told.items) {
    const offer = offers.find(({ id }) => id === offerId);
    if (offer === undefined) throw new Error(`there is no ${offerId}`);
    expect(ofOffer).toEqual(
      websites.map((website) => ({ websiteKey: website.key, keptAwayBy: keptAwayBy(website, offer) })),
    );
  }
  const none = await asked({ pageSize: "100", search: "nothing of this" });
  expect(JSON.parse(none.done)).toMatchObject({ items: [], total: 0 });
  // What is looked through is the same: the turns between are those of what is written.
  expect(all.turns - none.turns).toBeGreaterThan(told.items.length / 8);
});
