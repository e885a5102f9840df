import type { Location } from "@offers/contract/location";
import type { Offer } from "./catalogue.ts";

/** Finds the offers that cover a location without looking at the others. */
export type OffersByLocation = (location: Location) => readonly Offer[];

/** Indexes offers by what they cover: `*`, a country, or a region of one. A region of `""` meets no region entry. */
export function indexByLocation(offers: readonly Offer[]): OffersByLocation {
  const index = new Map<string, Offer[]>();
  for (const offer of offers) {
    for (const place of widestPlaces(offer.geoCoverage)) {
      const there = index.get(place);
      if (there) there.push(offer);
      else index.set(place, [offer]);
    }
  }
  const at = (place: string): readonly Offer[] => index.get(place) ?? nothing;
  return ({ country, region }) => {
    const everywhere = at("*");
    const inCountry = at(country);
    const inRegion = region === "" ? nothing : at(`${country}-${region}`);
    if (inCountry.length === 0 && inRegion.length === 0) return everywhere;
    return everywhere.concat(inCountry, inRegion);
  };
}

const nothing: readonly Offer[] = [];

/** Drops every place that lies within another one, so that one location never meets an offer twice. */
function widestPlaces(coverage: readonly string[]): readonly string[] {
  if (coverage.includes("*")) return ["*"];
  const places = new Set(coverage);
  return [...places].filter((place) => place.length === 2 || !places.has(place.slice(0, 2)));
}
