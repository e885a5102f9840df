import type { AllowlistAnswer, AllowlistCount } from "@offers/contract/dash/websites";
import { unknownCountry } from "@offers/contract/words";
import type { Website } from "./catalogue.ts";
import { decideByLocation, locationOf } from "./geo-decision.ts";
import { placesOf, widestPlaces } from "./offers-by-place.ts";
import { compilePermission, withoutOwnBrand } from "./permission.ts";
import type { RankedOffer } from "./sorted-offers.ts";

type Asked = Pick<Website, "allowlist" | "ownBrand" | "geoRule">;

/** Active offers, made ready to be counted for many websites. */
export type CountableOffers = {
  offers: readonly { ranked: RankedOffer; places: readonly string[] }[];
  /** Every place that one of them names. */
  named: ReadonlySet<string>;
};

/** Makes the active ones of some offers ready to be counted. */
export function countableOffers(all: Iterable<RankedOffer>): CountableOffers {
  const offers: CountableOffers["offers"][number][] = [];
  const named = new Set<string>();
  for (const ranked of all) {
    const { status, geoCoverage } = ranked.offer;
    if (status !== "active") continue;
    // Most name one place, or the world: nothing within it is to be left out.
    const places = geoCoverage.length === 1 ? geoCoverage : widestPlaces(geoCoverage);
    for (const place of places) named.add(place);
    offers.push({ ranked, places });
  }
  return { offers, named };
}

/**
 * Counts what an allowlist would permit, by the permission that every answer of offers goes by: of all active offers, and for
 * each place whose visitors are blocked. One walk over the offers, however many places there are.
 */
export function countPermitted(offers: Iterable<RankedOffer>, website: Asked): AllowlistCount {
  return countAmong(countableOffers(offers), website);
}

/** The same among offers that were made ready once for many websites. */
export function countAmong({ offers, named }: CountableOffers, website: Asked): AllowlistCount {
  const isPermitted = withoutOwnBrand(compilePermission(website.allowlist), website.ownBrand);
  const covering = new Map<string, number>();
  const active = offers.length;
  let permitted = 0;
  for (const { ranked, places } of offers) {
    if (!isPermitted(ranked)) continue;
    permitted += 1;
    for (const place of places) covering.set(place, (covering.get(place) ?? 0) + 1);
  }
  const countAt = (place: string): number =>
    placesOf(locationOf(place)).reduce((sum, one) => sum + (covering.get(one) ?? 0), 0);
  const places = blockedPlaces(website, named).map((place) => ({
    place,
    offers: place === "*" ? (covering.get("*") ?? 0) : countAt(place),
  }));
  return { active, permitted, places };
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

/** Active offers as a tree of verticals and brands, each in the order of its name, without those of the own brand. */
export function offerTree(
  offers: Iterable<RankedOffer>,
  { ownBrand }: Pick<Asked, "ownBrand">,
): AllowlistAnswer["verticals"] {
  const isOthers = withoutOwnBrand(() => true, ownBrand);
  const shown = [...offers].filter((ranked) => ranked.offer.status === "active" && isOthers(ranked));
  return grouped(shown, ({ offer }) => offer.vertical).map(([vertical, ofVertical]) => ({
    vertical,
    brands: grouped(ofVertical, ({ brand }) => brand).map(([key, ofBrand]) => ({
      brand: ofBrand[0]?.offer.brand ?? key,
      offers: ofBrand.map(({ offer: { id, title, payoutModel, geoCoverage } }) => ({
        offerId: id,
        title,
        payoutModel,
        geoCoverage,
      })),
    })),
  }));
}

function grouped(
  offers: readonly RankedOffer[],
  nameOf: (ranked: RankedOffer) => string,
): [string, RankedOffer[]][] {
  return [...Map.groupBy(offers, nameOf)].sort(([one], [other]) => (one < other ? -1 : 1));
}
