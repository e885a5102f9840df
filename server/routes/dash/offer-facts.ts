import type { Context } from "../../context.ts";
import { type CountableOffers, countAmong, countableOffers } from "../../core/allowlist-count.ts";
import type { Website } from "../../core/catalogue.ts";
import { type OfferFacts, offerFacts } from "../../core/website-facts.ts";

/** What waits for the thread waits no longer than for this and one website. */
const pieceMs = 2;

type Counted = {
  version: number;
  offers: CountableOffers;
  /** Equal allowlists and rules are one object each in the catalogue. */
  byAllowlist: WeakMap<Website["allowlist"], WeakMap<Website["geoRule"], Map<string, OfferFacts>>>;
};

type Asked = Pick<Website, "publisherId" | "allowlist" | "geoRule" | "ownBrand">;
export type OfferFactsOf = {
  ofOne: (website: Asked) => OfferFacts;
  /** By the websites' keys; between two of them others have their turn. */
  ofAll: (websites: readonly Website[]) => Promise<ReadonlyMap<string, OfferFacts>>;
};

/**
 * Prepares what the offers tell of websites. What was counted for an allowlist, a rule and an own brand is kept while the
 * catalogue stands as it is.
 */
export function createOfferFacts(catalogueOf: Context["store"]["catalogue"]): OfferFactsOf {
  let counted: Counted = { version: -1, offers: countableOffers([]), byAllowlist: new WeakMap() };
  const countedNow = (): Counted => {
    const { version } = catalogueOf();
    if (counted.version !== version) {
      counted = {
        version,
        offers: countableOffers(catalogueOf().rankedOffers()),
        byAllowlist: new WeakMap(),
      };
    }
    return counted;
  };
  const ofOne = (website: Asked): OfferFacts => {
    const { offers, byAllowlist } = countedNow();
    const { publisherId, allowlist, geoRule, ownBrand } = website;
    const byRule = byAllowlist.get(allowlist) ?? new WeakMap();
    byAllowlist.set(allowlist, byRule);
    const byOwner: Map<string, OfferFacts> = byRule.get(geoRule) ?? new Map();
    byRule.set(geoRule, byOwner);
    // While every publisher is offered everything, it makes no difference whose the website is.
    const owner = JSON.stringify([offers.areForAll ? null : publisherId, ownBrand]);
    const known = byOwner.get(owner);
    if (known !== undefined) return known;
    const facts = offerFacts(website, countAmong(offers, website));
    byOwner.set(owner, facts);
    return facts;
  };
  const ofAll: OfferFactsOf["ofAll"] = async (websites) => {
    const found = new Map<string, OfferFacts>();
    let began = performance.now();
    // A piece of its own where there are many offers.
    countedNow();
    // The list is the catalogue's own, which grows.
    for (const website of [...websites]) {
      if (performance.now() - began > pieceMs) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        began = performance.now();
      }
      found.set(website.key, ofOne(website));
    }
    return found;
  };
  return { ofOne, ofAll };
}
