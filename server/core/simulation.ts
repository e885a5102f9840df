import type { Location } from "@offers/contract/location";
import type { Surface } from "@offers/contract/words";
import type { Audience } from "./audience.ts";
import type { Website } from "./catalogue.ts";
import { decideFor, type GeoVerdict } from "./geo-decision.ts";
import { chooseOffers, type OfferChoice, type Standing } from "./offer-choice.ts";

/** What a visit would be answered with. */
export type Simulation = { verdict: GeoVerdict; choice: OfferChoice };

/**
 * What a visitor of a website from a place would be shown as things stand: the verdict and the offers of a real visit with
 * that request's key. Records nothing.
 * @param visit.request the key of the request, which decides between offers whose click rates are little known.
 * @param visit.limit how many standard offers at the most, 0 to 20; left out: 6.
 */
export function simulateVisit(
  visit: {
    website: Website;
    location: Location;
    surface: Surface;
    request: string;
    limit?: number | undefined;
    visitor?: Audience | undefined;
  },
  standing: Standing,
): Simulation {
  const { website, location, surface, request, limit, visitor } = visit;
  const verdict = decideFor(website, location);
  const facts = { ...location, surface, request, allowed: verdict.allowed };
  return { verdict, choice: chooseOffers({ facts, website, limit, visitor, ...standing }) };
}
