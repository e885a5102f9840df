import type { PublisherId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import { brandKey } from "./brand-key.ts";
import type { CatalogueRows, Offer, Website } from "./catalogue.ts";
import { indexByLocation } from "./offers-by-location.ts";
import { compilePermission, type Permission } from "./permission.ts";

/** One version of the whole catalogue, indexed for the questions that requests ask; it never changes. */
export type Catalogue = {
  version: number;
  website(key: string): Website | undefined;
  websiteById(id: number): Website | undefined;
  /** A publisher's websites, oldest first. */
  websitesOf(publisherId: PublisherId): readonly Website[];
  /** Paused offers too. */
  offer(id: string): Offer | undefined;
  /** Whether any website registered this canonical origin, itself or by a wildcard. */
  isRegisteredOrigin(origin: string): boolean;
  /** Whether this website registered this canonical origin, itself or by a wildcard. */
  hasOrigin(website: Website, origin: string): boolean;
  /** Every active offer that covers the location, each once; allowlists and budgets are not asked. */
  activeOffersAt(location: Location): readonly Offer[];
  /** Whether the website's allowlist lets the offer through and it is not the website's own brand. */
  permits(website: Website, offer: Offer): boolean;
};

/**
 * Indexes the rows of the catalogue. Costs time once, so that no question's cost depends on how many
 * websites there are, nor on the offers that the answer leaves out.
 */
export function compileCatalogue(rows: CatalogueRows): Catalogue {
  const byKey = new Map<string, Website>();
  const byId = new Map<number, Website>();
  const byPublisher = new Map<PublisherId, Website[]>();
  const originsOf = new Map<number, ReadonlySet<string>>();
  const permissions = new Map<number, Permission>();
  const allOrigins = new Set<string>();
  for (const website of rows.websites) {
    byKey.set(website.key, website);
    byId.set(website.id, website);
    byPublisher.set(website.publisherId, [...(byPublisher.get(website.publisherId) ?? []), website]);
    originsOf.set(website.id, new Set(website.origins));
    permissions.set(website.id, compilePermission(website));
    for (const origin of website.origins) allOrigins.add(origin);
  }
  const offers = new Map<string, Offer>();
  const brands = new Map<Offer, string>();
  for (const offer of rows.offers) {
    offers.set(offer.id, offer);
    brands.set(offer, brandKey(offer.brand));
  }
  return {
    version: rows.version,
    website: (key) => byKey.get(key),
    websiteById: (id) => byId.get(id),
    websitesOf: (publisherId) => byPublisher.get(publisherId) ?? [],
    offer: (id) => offers.get(id),
    isRegisteredOrigin: (origin) => covers(allOrigins, origin),
    hasOrigin: (website, origin) => covers(originsOf.get(website.id) ?? none, origin),
    activeOffersAt: indexByLocation(rows.offers.filter((offer) => offer.status === "active")),
    permits: (website, offer) =>
      permissions.get(website.id)?.(offer, brands.get(offer) ?? brandKey(offer.brand)) ?? false,
  };
}

const none: ReadonlySet<string> = new Set();

/**
 * Asks for the origin, then for a wildcard at each of its dots: `https://a.b.example:8443` meets
 * `https://*.b.example:8443`. An origin that holds a `*` is nobody's, or it would meet its own entry.
 */
function covers(registered: ReadonlySet<string>, origin: string): boolean {
  if (origin.includes("*")) return false;
  if (registered.has(origin)) return true;
  const scheme = origin.slice(0, origin.indexOf("://") + 3);
  for (let dot = origin.indexOf("."); dot > 0; dot = origin.indexOf(".", dot + 1)) {
    if (registered.has(`${scheme}*${origin.slice(dot)}`)) return true;
  }
  return false;
}

/** A catalogue that grows by changes. */
export type LiveCatalogue = Catalogue & {
  /** Takes over new or changed rows; nothing is ever deleted. */
  apply(changes: CatalogueRows): void;
};

/** An empty catalogue. */
export function createCatalogue(): LiveCatalogue {
  const websites = new Map<number, Website>();
  const offers = new Map<number, Offer>();
  let compiled = compileCatalogue({ version: 0, websites: [], offers: [] });
  return {
    get version() {
      return compiled.version;
    },
    website: (key) => compiled.website(key),
    websiteById: (id) => compiled.websiteById(id),
    websitesOf: (publisherId) => compiled.websitesOf(publisherId),
    offer: (id) => compiled.offer(id),
    isRegisteredOrigin: (origin) => compiled.isRegisteredOrigin(origin),
    hasOrigin: (website, origin) => compiled.hasOrigin(website, origin),
    activeOffersAt: (location) => compiled.activeOffersAt(location),
    permits: (website, offer) => compiled.permits(website, offer),
    apply: (changes) => {
      for (const website of changes.websites) websites.set(website.id, website);
      for (const offer of changes.offers) offers.set(offer.number, offer);
      const rows = {
        version: changes.version,
        websites: [...websites.values()],
        offers: [...offers.values()],
      };
      compiled = compileCatalogue(rows);
    },
  };
}
