import { keptAwayReasons } from "@offers/contract/dash/looking";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptAwayBy } from "./kept-away.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite } from "./sample-catalogue.ts";

const names = fc.record({
  brands: fc.subarray(["Acme", "acme ", "Other"]),
  verticals: fc.subarray(["games", "travel"]),
  offers: fc.subarray(["offer_1", "offer_2"]),
});

test("an offer is kept away from a website exactly when the catalogue does not permit it there", () => {
  const met = new Set<string | null>();
  fc.assert(
    fc.property(
      fc.record({ mode: fc.constantFrom("all", "allowlist"), allow: names, block: names }),
      fc.constantFrom("", "ACME", "Mine"),
      fc.constantFrom("Acme", "Other", "Third"),
      fc.constantFrom("games", "travel", "energy"),
      (allowlist, ownBrand, brand, vertical) => {
        const website = sampleWebsite({ allowlist: allowlist as never, ownBrand });
        const offer = sampleOffer({ number: 1, id: "offer_1", brand, vertical });
        const catalogue = sampleCatalogue({ websites: [website], offers: [offer] });
        const away = keptAwayBy(website, offer);
        met.add(away);
        expect(away === null).toBe(catalogue.permits(website, offer));
      },
    ),
    { numRuns: 2000 },
  );
  expect([...met].sort()).toEqual(
    [null, ...keptAwayReasons.filter((reason) => reason !== "website_paused")].sort(),
  );
  expect(keptAwayBy({ ...sampleWebsite(), paused: true }, sampleOffer())).toBe("website_paused");
});
