import type { Location } from "@offers/contract/location";
import { filterOffers, listOffers, type OfferList, type RankedOffer } from "./sorted-offers.ts";

/** The offers that name one place, and among them those that are flagged for the premium slot. */
export type PlaceOffers = { all: OfferList; premium: OfferList };

/** Which active offers cover a place: `*`, a country, or a region of one such as `US-NJ`. */
export type OffersByPlace = {
  /** Takes an offer in at every place that it covers. */
  add(ranked: RankedOffer): void;
  /** Takes out what was added. */
  remove(ranked: RankedOffer): void;
  /** The offers that name this place; another object after each change. Null: none ever did. */
  at(place: string): PlaceOffers | null;
};

/** What has come and gone since the lists of a place were last made. */
type Place = { lists: PlaceOffers; added: Set<RankedOffer>; removed: Set<RankedOffer> };

/**
 * An index of offers by place. A change is noted at each place that the offer covers, and costs no more; the first
 * request from there puts the list in order again.
 */
export function createOffersByPlace(): OffersByPlace {
  const places = new Map<string, Place>();

  const placeOf = (name: string): Place => {
    const known = places.get(name);
    if (known !== undefined) return known;
    const place = { lists: noOffers, added: new Set<RankedOffer>(), removed: new Set<RankedOffer>() };
    places.set(name, place);
    return place;
  };

  return {
    add(ranked) {
      for (const name of widestPlaces(ranked.offer.geoCoverage)) placeOf(name).added.add(ranked);
    },
    remove(ranked) {
      for (const name of widestPlaces(ranked.offer.geoCoverage)) {
        const { added, removed } = placeOf(name);
        // Where nobody asks, what comes and goes again leaves nothing.
        if (!added.delete(ranked)) removed.add(ranked);
      }
    },
    at(name) {
      const place = places.get(name);
      if (place === undefined) return null;
      if (place.added.size > 0 || place.removed.size > 0) settle(place);
      return place.lists;
    },
  };
}

/** The places that an offer may name to be shown at a location, the widest first. */
export function placesOf({ country, region }: Location): readonly string[] {
  return region === "" ? ["*", country] : ["*", country, `${country}-${region}`];
}

const nothing: OfferList = listOffers([]);
const noOffers: PlaceOffers = { all: nothing, premium: nothing };

function settle(place: Place): void {
  const offers = [...place.lists.all.offers, ...place.added].filter((ranked) => !place.removed.has(ranked));
  const all = listOffers(offers);
  place.lists = { all, premium: filterOffers(all, ({ offer }) => offer.premium) };
  place.added = new Set();
  place.removed = new Set();
}

/** A coverage without every place that lies within another one of it, so that one location never meets an offer twice. */
export function widestPlaces(coverage: readonly string[]): readonly string[] {
  if (coverage.includes("*")) return ["*"];
  const places = new Set(coverage);
  return [...places].filter((place) => place.length === 2 || !places.has(place.slice(0, 2)));
}
