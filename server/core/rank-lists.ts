import type { Allowlist } from "@offers/contract/catalogue";
import type { OffersByPlace, PlaceOffers } from "./offers-by-place.ts";
import { compilePermission, type Permission } from "./permission.ts";
import { filterOffers } from "./sorted-offers.ts";

/** What allowlists leave of the offers. Equal allowlists should be one object, or each has lists of its own. */
export type RankLists = {
  permissionOf(allowlist: Allowlist): Permission;
  /**
   * The offers that name the place, and of those what an allowlist in the narrower sense permits; null: none ever
   * named it. In mode `all` they are not filtered: most are permitted then, so whoever walks the list meets few that
   * are not, while a list for each of many websites would hold nearly all offers each.
   */
  at(allowlist: Allowlist, place: string): PlaceOffers | null;
};

type Kept = { base: PlaceOffers; permitted: PlaceOffers };
type Generation = Map<Allowlist, Map<string, Kept>>;

/** 1,000,000 offers in lists are some 12 MB; two generations of them are kept. */
const mostListed = 1_000_000;
/** What a list costs that holds none. */
const emptyListWeight = 30;

/**
 * Keeps the permitted offers of each place, made at the first request for them and again after the place's offers
 * have changed. The lists lie in two generations:
 * once the young hold too many offers, the old ones are dropped whole and the young are the old, so that lists which
 * nobody asks for do not stay.
 * @param most how many offers the lists of one generation may hold together.
 */
export function createRankLists(byPlace: OffersByPlace, most = mostListed): RankLists {
  const permissions = new WeakMap<Allowlist, Permission>();
  let young: Generation = new Map();
  let old: Generation = new Map();
  let listed = 0;

  const permissionOf = (allowlist: Allowlist): Permission => {
    const known = permissions.get(allowlist) ?? compilePermission(allowlist);
    permissions.set(allowlist, known);
    return known;
  };

  const keep = (allowlist: Allowlist, place: string, kept: Kept): void => {
    if (listed > most) {
      old = young;
      young = new Map();
      listed = 0;
    }
    const lists = young.get(allowlist) ?? new Map<string, Kept>();
    young.set(allowlist, lists.set(place, kept));
    listed += emptyListWeight + kept.permitted.all.offers.length + kept.permitted.premium.offers.length;
  };

  return {
    permissionOf,
    at(allowlist, place) {
      const base = byPlace.at(place);
      if (base === null || allowlist.mode === "all") return base;
      const isYoung = young.get(allowlist)?.get(place);
      if (isYoung?.base === base) return isYoung.permitted;
      const isOld = old.get(allowlist)?.get(place);
      const kept = isOld?.base === base ? isOld : filtered(base, permissionOf(allowlist));
      keep(allowlist, place, kept);
      return kept.permitted;
    },
  };
}

function filtered(base: PlaceOffers, permission: Permission): Kept {
  const permitted = {
    all: filterOffers(base.all, permission),
    premium: filterOffers(base.premium, permission),
  };
  return { base, permitted };
}
