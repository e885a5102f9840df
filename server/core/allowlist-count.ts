import type { AllowlistAnswer, AllowlistCount, TreeOffer } from "@offers/contract/dash/websites";
import { unknownCountry } from "@offers/contract/words";
import type { Website } from "./catalogue.ts";
import { decideByLocation, locationOf } from "./geo-decision.ts";
import { isOfferedTo } from "./offered-to.ts";
import { placesOf, widestPlaces } from "./offers-by-place.ts";
import { compilePermission, permissionOn } from "./permission.ts";
import type { RankedOffer } from "./sorted-offers.ts";

type Asked = Pick<Website, "publisherId" | "allowlist" | "ownBrand" | "geoRule">;

/** An active offer, made ready to be counted. */
type CountableOffer = { ranked: RankedOffer; places: readonly string[] };
/** Active offers, made ready to be counted for many websites. */
export type CountableOffers = {
  offers: readonly CountableOffer[];
  /** Every place that one of them names. */
  named: ReadonlySet<string>;
  /** Whether every publisher is offered all of them. */
  areForAll: boolean;
};

/** Makes the active ones of some offers ready to be counted. */
export function countableOffers(all: Iterable<RankedOffer>): CountableOffers {
  const offers: CountableOffer[] = [];
  const named = new Set<string>();
  let areForAll = true;
  for (const ranked of all) {
    const countable = countableOffer(ranked);
    if (countable === null) continue;
    for (const place of countable.places) named.add(place);
    if (ranked.isForPublisher !== null) areForAll = false;
    offers.push(countable);
  }
  return { offers, named, areForAll };
}

const countableOffer = (ranked: RankedOffer): CountableOffer | null => {
  const { status, geoCoverage } = ranked.offer;
  if (status !== "active") return null;
  // Most name one place, or the world: nothing within it is to be left out.
  return { ranked, places: geoCoverage.length === 1 ? geoCoverage : widestPlaces(geoCoverage) };
};

/**
 * Counts what an allowlist would permit, by the permission that every answer of offers goes by: of all active offers, and for
 * each place whose visitors are blocked. One walk over the offers, however many places there are. What the publisher is not
 * offered is as if it were not there.
 */
export function countPermitted(offers: Iterable<RankedOffer>, website: Asked): AllowlistCount {
  return countAmong(countableOffers(offers), website);
}

/** The same among offers that were made ready once for many websites. */
export function countAmong({ offers, named, areForAll }: CountableOffers, website: Asked): AllowlistCount {
  const counter = startCount(website);
  for (const offer of offers) counter.take(offer);
  return counter.count(areForAll ? named : placesNamed(offers, website));
}

const placesNamed = (offers: readonly CountableOffer[], { publisherId }: Asked): ReadonlySet<string> =>
  new Set(offers.flatMap(({ ranked, places }) => (isOfferedTo(ranked, publisherId) ? places : [])));

/** The same by one offer after another, so that whoever reads them may pause in between. */
export function createPermittedCount(website: Asked): {
  take: (ranked: RankedOffer) => void;
  count: () => AllowlistCount;
} {
  const counter = startCount(website);
  const named = new Set<string>();
  return {
    take: (ranked) => {
      const countable = countableOffer(ranked);
      if (countable === null || !isOfferedTo(ranked, website.publisherId)) return;
      for (const place of countable.places) named.add(place);
      counter.take(countable);
    },
    count: () => counter.count(named),
  };
}

function startCount(website: Asked) {
  const isPermitted = permissionOn(website, compilePermission(website.allowlist));
  const covering = new Map<string, number>();
  let active = 0;
  let permitted = 0;
  const countAt = (place: string): number =>
    placesOf(locationOf(place)).reduce((sum, one) => sum + (covering.get(one) ?? 0), 0);
  return {
    take: ({ ranked, places }: CountableOffer): void => {
      if (!isOfferedTo(ranked, website.publisherId)) return;
      active += 1;
      if (!isPermitted(ranked)) return;
      permitted += 1;
      for (const place of places) covering.set(place, (covering.get(place) ?? 0) + 1);
    },
    count: (named: ReadonlySet<string>): AllowlistCount => {
      const places = blockedPlaces(website, named).map((place) => ({
        place,
        offers: place === "*" ? (covering.get("*") ?? 0) : countAt(place),
      }));
      return { active, permitted, places };
    },
  };
}

/** The places that a rule blocks: those that it names, or those that some offer names and the rule does not. */
function blockedPlaces({ geoRule }: Pick<Asked, "geoRule">, named: ReadonlySet<string>): string[] {
  const { mode, entries, unknownLocation } = geoRule;
  const unknown = unknownLocation === "block" ? [unknownCountry] : [];
  if (mode === "blocklist") return [...entries, ...unknown];
  const others = [...named].filter(
    (place) => place !== "*" && !decideByLocation(geoRule, locationOf(place)).allowed,
  );
  return [...others.sort(), "*", ...unknown];
}

/**
 * Active offers as a tree of verticals and brands, each in the order of its name, without those of the own brand and those that
 * the publisher is not offered: made by one offer after another.
 */
export function createOfferTree(website: Pick<Asked, "publisherId" | "ownBrand">): {
  take: (ranked: RankedOffer) => void;
  verticals: () => AllowlistAnswer["verticals"];
} {
  const isChoice = permissionOn(website, () => true);
  const verticals = new Map<string, Map<string, { brand: string; offers: TreeOffer[] }>>();
  return {
    take: (ranked) => {
      const { id, title, brand, vertical, payoutModel, geoCoverage, status } = ranked.offer;
      if (status !== "active" || !isChoice(ranked)) return;
      const brands = verticals.get(vertical) ?? new Map();
      verticals.set(vertical, brands);
      const ofBrand = brands.get(ranked.brand) ?? { brand, offers: [] };
      brands.set(ranked.brand, ofBrand);
      ofBrand.offers.push({ offerId: id, title, payoutModel, geoCoverage } satisfies TreeOffer);
    },
    verticals: () =>
      byName(verticals).map(([vertical, brands]) => ({
        vertical,
        brands: byName(brands).map(([, ofBrand]) => ofBrand),
      })),
  };
}

const byName = <Value>(named: ReadonlyMap<string, Value>): [string, Value][] =>
  [...named].sort(([one], [other]) => (one < other ? -1 : 1));
