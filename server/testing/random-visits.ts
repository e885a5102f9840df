import { advertiserInput, offerInput } from "@offers/contract/catalogue";
import { deviceClasses } from "@offers/contract/words";
import { createFixedGeo } from "../geo/fixed-geo.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { updateWebsite } from "../store/catalogue/websites.ts";
import { rules } from "./fixture.ts";
import type { TestService } from "./test-service.ts";

const places = ["DE", "US-NJ", "US-TX", "FR", "FR-IDF", "GB-ENG", "JP", "BR-SP", "AU", "ZA"] as const;
const partsOf = (place: string) => ({ country: place.slice(0, 2), region: place.slice(3) });

/** Knows an address of each of the places. */
export const geoOfPlaces = createFixedGeo(
  places.map((place, at) => ({ range: `198.18.${at}.0/24`, ...partsOf(place) })),
);

/** The websites that are visited: those of the fixture. */
export const visitedWebsites = ["ws_a", "ws_b", "ws_dev", "ws_wild", "ws_empty"] as const;

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const visitors = [
  { language: "de-AT", device: "desktop", headers: { "Accept-Language": "de-AT,fr", "User-Agent": windows } },
  { language: "fr", device: "phone", headers: { "Accept-Language": "fr", "User-Agent": iphone } },
  { language: "en", device: "desktop", headers: { "Accept-Language": "en,de", "User-Agent": windows } },
] as const;

type Random = () => number;
const chooser =
  (random: Random) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;

/** A random visit: as what a browser sends, and as what it comes to. */
export function randomVisit(random: Random) {
  const oneOf = chooser(random);
  const at = Math.floor(random() * (places.length + 1));
  const { headers, ...visitor } = oneOf(visitors);
  return {
    from: `198.18.${at}.7`,
    location: partsOf(places[at] ?? "ZZ"),
    surface: oneOf(["overlay", "section"] as const),
    headers,
    visitor,
  };
}

/** Gives a service forty offers of all kinds beside the fixture's, and its websites random rules. */
export async function fillRandomly(service: TestService, random: Random): Promise<void> {
  const oneOf = chooser(random);
  await service.change(async (catalogue) => {
    const now = service.context.clock();
    const owners = await Promise.all(
      [1_000_000_000, 0].map((balanceMicros, at) =>
        createAdvertiser(catalogue, advertiserInput.parse({ name: `Owner ${at}`, balanceMicros }), { now }),
      ),
    );
    for (let number = 0; number < 40; number += 1) {
      const offer = {
        advertiserId: oneOf(owners),
        brand: `Brand ${Math.floor(random() * 25)}`,
        vertical: oneOf(["games", "travel", "energy"]),
        title: `Title ${number}`,
        geoCoverage: [random() < 0.2 ? "*" : oneOf(places)],
        payoutModel: oneOf(["CPC", "CPM", "CPL"]),
        payoutMicros: 1000 * (1 + Math.floor(random() * 1000)),
        premium: random() < 0.2,
        landingUrl: "https://brand.example/?c={click_id}",
        ...oneOf([{}, {}, { languages: [oneOf(["de", "fr"])] }, { devices: [oneOf(deviceClasses)] }]),
        ...oneOf([{}, {}, { endsAt: "2020-01-01" }, { hours: ["0-13"] }, { hours: ["13-24"] }]),
      };
      // Every second one of those that conversions are paid by says how often its clicks convert.
      const isRated = offer.payoutModel === "CPL" && number % 2 === 0;
      const rated = isRated ? { ...offer, conversionRateBasisPoints: 250 * (1 + (number % 7)) } : offer;
      // The plan of an even one began five minutes ago: half of the requests are handed it.
      const isEven = offer.payoutModel === "CPC" && random() < 0.5;
      const paced = isEven ? { ...rated, pacing: "even", dailyClickCap: 1000 } : rated;
      await createOffer(catalogue, offerInput.parse(paced), { now: now - 300_000, rules });
    }
    for (const key of visitedWebsites) {
      const entries = places.filter(() => random() < 0.4);
      const geoRule = {
        mode: oneOf(["allowlist", "blocklist"]),
        entries,
        unknownLocation: oneOf(["allow", "block"]),
      };
      await updateWebsite(catalogue, key, { geoRule }, rules);
    }
  });
}
