import type { Allowlist } from "@offers/contract/catalogue";
import { brandKey } from "./brand-key.ts";
import type { Offer, Website } from "./catalogue.ts";

/** A website's own filter, ready to be asked for each offer. `offerBrand` is the offer's brand key. */
export type Permission = (offer: Offer, offerBrand: string) => boolean;

/**
 * Compiles who may be shown on a website: in any `allow` set (or mode `all`), in no `block` set,
 * and never the website's own brand.
 */
export function compilePermission(website: Website): Permission {
  const allow = compileNames(website.allowlist.allow);
  const block = compileNames(website.allowlist.block);
  const all = website.allowlist.mode === "all";
  const own = brandKey(website.ownBrand);
  return (offer, offerBrand) =>
    (all || allow(offer, offerBrand)) && !block(offer, offerBrand) && !(own !== "" && own === offerBrand);
}

/** Whether the allowlist names nothing at all, and so permits nothing. */
export function isEmptyAllowlist({ mode, allow }: Allowlist): boolean {
  return mode === "allowlist" && !allow.brands.length && !allow.verticals.length && !allow.offers.length;
}

function compileNames(names: Allowlist["allow"]): Permission {
  const brands = new Set(names.brands.map(brandKey));
  const verticals = new Set(names.verticals);
  const offers = new Set<string>(names.offers);
  return (offer, offerBrand) =>
    brands.has(offerBrand) || verticals.has(offer.vertical) || offers.has(offer.id);
}
