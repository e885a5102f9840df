import type { Allowlist, GeoRule } from "@offers/contract/catalogue";
import type { PublisherId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import { type Audiences, createAudiences } from "./audience.ts";
import { createPromisingOrder, type PromisingOrder } from "./candidates.ts";
import type { CatalogueRows, CurrencyRates, Offer, Website } from "./catalogue.ts";
import { createOffersByPlace, placesOf } from "./offers-by-place.ts";
import { type Permission, permissionOn } from "./permission.ts";
import { createRankLists } from "./rank-lists.ts";
import { coversOrigin } from "./registered-origin.ts";
import { createSchedules, type Schedules } from "./schedule.ts";
import { createSharedValues } from "./shared-values.ts";
import { type OfferList, type RankedOffer, rankedOffer } from "./sorted-offers.ts";

/** What a website may show at a place, as far as `mayShow` agrees, in no meaningful order. Budgets are not asked. */
export type RankedList = {
  /** The offers that cover the whole world, the country, and the region: no offer stands in two lists. */
  all: readonly OfferList[];
  /** Among them those that are flagged for the premium slot. */
  premium: readonly OfferList[];
  /** Whether the website may show an offer of the lists: as in `Catalogue.permits`. */
  mayShow(ranked: RankedOffer): boolean;
};

/**
 * The whole catalogue, indexed for the questions that requests ask. A website or an offer that changes becomes
 * another object, so whatever is made from one can be kept in a WeakMap by it.
 */
export type Catalogue = {
  readonly version: number;
  website(key: string): Website | undefined;
  /** Deleted ones too: links and events of before name them by their numbers. */
  websiteById(id: number): Website | undefined;
  /** A publisher's websites, oldest first; they are the catalogue's own list, which grows. */
  websitesOf(publisherId: PublisherId): readonly Website[];
  /** Those that it has deleted, whose figures stay. */
  archivedWebsitesOf(publisherId: PublisherId): readonly Website[];
  /** Paused offers too. */
  offer(id: string): Offer | undefined;
  /** Whether any website registered what an `Origin` header says, itself or by a wildcard. */
  isRegisteredOrigin(header: string): boolean;
  /** Whether this website registered what an `Origin` header says, itself or by a wildcard. */
  hasOrigin(website: Website, header: string): boolean;
  /** Whether the website's allowlist lets the offer through, its publisher is offered it, and it is not of its own brand. */
  permits(website: Website, offer: Offer): boolean;
  /** Every active offer that covers the location and that the website may show. */
  rankedOffersAt(website: Website, location: Location): RankedList;
  /** Every offer that there is, paused ones too, in the order in which they came. */
  rankedOffers(): Iterable<RankedOffer>;
  /** Every active offer that covers the location, whoever may show it: no offer stands in two lists. */
  activeOffersAt(location: Location): readonly OfferList[];
  /** What a unit of a currency is worth beside others; null: the operator has not said. */
  currencyRate(currency: string): number | null;
  readonly promisingOrder: PromisingOrder;
  /** When offers run. */
  readonly schedules: Schedules;
  /** For whom offers are. */
  readonly audiences: Audiences;
};

/** A catalogue that grows by changes. */
export type LiveCatalogue = Catalogue & {
  /**
   * Takes over new and changed rows and the version that they make. No row is ever deleted, so nothing is forgotten but
   * where the rows begin anew, of another database. Costs time for these rows and the places that the offers among them
   * cover, whatever else there is.
   */
  apply(changes: CatalogueRows): void;
};

/** An empty catalogue of version 0. A website that nobody visits costs its row in memory and nothing else. */
export function createCatalogue(): LiveCatalogue {
  let version = 0;
  let websites = createWebsites();
  const offers = new Map<string, RankedOffer>();
  let byPlace = createOffersByPlace();
  let rankLists = createRankLists(byPlace);
  let currencies: CurrencyRates = new Map();
  let promisingOrder = createPromisingOrder();
  const currencyRate = (currency: string): number | null => currencies.get(currency) ?? null;

  const replaceOffer = (offer: Offer): void => {
    const old = offers.get(offer.id);
    if (old?.offer.status === "active") byPlace.remove(old);
    // Its clicks speak for other offers from now on, and the version of the rates stays as it is.
    if (old !== undefined && old.offer.vertical !== offer.vertical) promisingOrder = createPromisingOrder();
    const ranked = rankedOffer(offer, currencyRate(offer.currency));
    offers.set(offer.id, ranked);
    if (offer.status === "active") byPlace.add(ranked);
  };

  const forgetAll = (): void => {
    websites = createWebsites();
    offers.clear();
    byPlace = createOffersByPlace();
    rankLists = createRankLists(byPlace);
    currencies = new Map();
    promisingOrder = createPromisingOrder();
  };

  const mayShow = (website: Website): Permission =>
    permissionOn(website, rankLists.permissionOf(website.allowlist));

  return {
    get version() {
      return version;
    },
    website: (key) => websites.byKey.get(key),
    websiteById: (id) => websites.byId.get(id),
    websitesOf: (publisherId) => websites.byPublisher.get(publisherId) ?? [],
    archivedWebsitesOf: (publisherId) => websites.archivedByPublisher.get(publisherId) ?? [],
    offer: (id) => offers.get(id)?.offer,
    isRegisteredOrigin: (header) => coversOrigin((origin) => websites.holdersOfOrigin.has(origin), header),
    hasOrigin: ({ id }, header) => {
      const website = websites.byId.get(id);
      return website !== undefined && coversOrigin((origin) => website.origins.includes(origin), header);
    },
    permits: ({ id }, offer) => {
      const website = websites.byId.get(id);
      if (website === undefined) return false;
      const known = offers.get(offer.id);
      return mayShow(website)(known?.offer === offer ? known : rankedOffer(offer, null));
    },
    rankedOffersAt: ({ id }, location) => {
      const all: OfferList[] = [];
      const premium: OfferList[] = [];
      const website = websites.byId.get(id);
      if (website === undefined) return { all, premium, mayShow: () => false };
      for (const place of placesOf(location)) {
        const offersThere = rankLists.at(website.allowlist, place);
        if (offersThere === null) continue;
        if (offersThere.all.offers.length > 0) all.push(offersThere.all);
        if (offersThere.premium.offers.length > 0) premium.push(offersThere.premium);
      }
      return { all, premium, mayShow: mayShow(website) };
    },
    rankedOffers: () => offers.values(),
    activeOffersAt: (location) => placesOf(location).flatMap((place) => byPlace.at(place)?.all ?? []),
    currencyRate,
    get promisingOrder() {
      return promisingOrder;
    },
    schedules: createSchedules(),
    audiences: createAudiences(),
    apply(changes) {
      if (changes.beginsAnew) forgetAll();
      if (changes.currencies !== undefined) {
        currencies = changes.currencies;
        for (const { offer } of [...offers.values()]) replaceOffer(offer);
      }
      for (const website of changes.websites) websites.replace(website);
      for (const offer of changes.offers) replaceOffer(offer);
      version = changes.version;
    },
  };
}

/** The websites by whatever they are asked for. Equal rules and allowlists of several are one object. */
function createWebsites() {
  const byKey = new Map<string, Website>();
  const byId = new Map<number, Website>();
  const byPublisher = new Map<PublisherId, Website[]>();
  const archivedByPublisher = new Map<PublisherId, Website[]>();
  /** How many websites registered each origin. */
  const holdersOfOrigin = new Map<string, number>();
  const allowlists = createSharedValues<Allowlist>();
  const geoRules = createSharedValues<GeoRule>();

  const hold = (origin: string, change: 1 | -1): void => {
    const holders = (holdersOfOrigin.get(origin) ?? 0) + change;
    if (holders === 0) holdersOfOrigin.delete(origin);
    else holdersOfOrigin.set(origin, holders);
  };

  const siblingsOf = ({ publisherId, archived }: Website): Website[] => {
    const lists = archived ? archivedByPublisher : byPublisher;
    const siblings = lists.get(publisherId) ?? [];
    lists.set(publisherId, siblings);
    return siblings;
  };

  const forget = (old: Website): void => {
    byKey.delete(old.key);
    for (const origin of old.origins) hold(origin, -1);
    allowlists.release(old.allowlist);
    geoRules.release(old.geoRule);
    const siblings = siblingsOf(old);
    siblings.splice(placeOf(siblings, old.id), 1);
  };

  const replace = (row: Website): void => {
    const website = {
      ...row,
      allowlist: allowlists.take(row.allowlist),
      geoRule: geoRules.take(row.geoRule),
    };
    const old = byId.get(row.id);
    if (old !== undefined) forget(old);
    byId.set(website.id, website);
    const siblings = siblingsOf(website);
    siblings.splice(placeOf(siblings, website.id), 0, website);
    if (website.archived) return;
    byKey.set(website.key, website);
    for (const origin of website.origins) hold(origin, 1);
  };

  return { byKey, byId, byPublisher, archivedByPublisher, holdersOfOrigin, replace };
}

/** Where the website of this id stands, or would stand, among others in the order of their ids. */
function placeOf(websites: readonly Website[], id: number): number {
  let from = 0;
  let to = websites.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((websites[middle]?.id ?? 0) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}
