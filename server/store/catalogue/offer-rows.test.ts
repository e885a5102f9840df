import fc from "fast-check";
import { expect, test } from "vitest";
import type { Offer } from "../../core/catalogue.ts";
import { sampleOffer } from "../../core/sample-catalogue.ts";
import { columnsOfMembers, offerOf } from "./offer-rows.ts";

test("an offer comes back from its columns as it was", () => {
  const caps = fc.option(fc.nat());
  const offers: fc.Arbitrary<Offer> = fc
    .record({
      brand: fc.string(),
      description: fc.string(),
      imageUrl: fc.option(fc.webUrl()),
      geoCoverage: fc.array(fc.constantFrom("DE", "US-NJ", "*")),
      payoutModel: fc.constantFrom("CPC" as const, "CPM" as const),
      payoutMicros: fc.nat(),
      premium: fc.boolean(),
      status: fc.constantFrom("active" as const, "paused" as const),
      conversionRateBasisPoints: caps,
      dailyBudgetMicros: caps,
      totalClickCap: caps,
      pacing: fc.constantFrom("asap" as const, "even" as const),
      startsAt: fc.constantFrom(null, "2026-12-01"),
      days: fc.subarray(["mon" as const, "sun" as const]),
      languages: fc.subarray(["de", "pt-BR"]),
      number: fc.nat(),
    })
    .map(sampleOffer);
  fc.assert(
    fc.property(offers, (offer) => {
      const beside = {
        number: offer.number,
        id: offer.id,
        advertiser_id: offer.advertiserId,
        created_at: 1,
        changed: 1,
      };
      expect(offerOf({ ...columnsOfMembers(offer), ...beside })).toEqual(offer);
    }),
  );
});

test("members that are not given have no columns", () => {
  expect(columnsOfMembers({ premium: true, geoCoverage: ["DE"], imageUrl: null })).toEqual({
    premium: 1,
    geo_json: '["DE"]',
    image_url: null,
  });
});
