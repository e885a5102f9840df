import type { Allowlist } from "@offers/contract/catalogue";
import { brandKey } from "./brand-key.ts";
import type { Website } from "./catalogue.ts";
import { isOfferedTo } from "./offered-to.ts";
import type { RankedOffer } from "./sorted-offers.ts";

/** An allowlist, ready to be asked for each offer. */
export type Permission = (ranked: Pick<RankedOffer, "offer" | "brand" | "isForPublisher">) => boolean;

/** What a website may show: what its allowlist permits and its publisher is offered, but for its own brand. */
export function permissionOn(
  { publisherId, ownBrand }: Pick<Website, "publisherId" | "ownBrand">,
  isPermitted: Permission,
): Permission {
  const isOthers = withoutOwnBrand(isPermitted, ownBrand);
  return (ranked) => isOfferedTo(ranked, publisherId) && isOthers(ranked);
}

/** Compiles what an allowlist permits: what is in any `allow` set (or mode `all`), and in no `block` set. */
export function compilePermission({ mode, allow, block }: Allowlist): Permission {
  const isAllowed = mode === "all" ? () => true : compileNames(allow);
  const isBlocked = compileNames(block);
  return (ranked) => isAllowed(ranked) && !isBlocked(ranked);
}

/** The same without the website's own brand, which it never shows; `""`: it is none. */
function withoutOwnBrand(isPermitted: Permission, ownBrand: string): Permission {
  if (ownBrand === "") return isPermitted;
  const own = brandKey(ownBrand);
  return (ranked) => ranked.brand !== own && isPermitted(ranked);
}

/** Whether the allowlist names nothing at all, and so permits nothing. */
export function isEmptyAllowlist({ mode, allow }: Allowlist): boolean {
  return mode === "allowlist" && namesNothing(allow);
}

function namesNothing({ brands, verticals, offers }: Allowlist["allow"]): boolean {
  return brands.length === 0 && verticals.length === 0 && offers.length === 0;
}

function compileNames(names: Allowlist["allow"]): Permission {
  if (namesNothing(names)) return () => false;
  const brands = new Set(names.brands.map(brandKey));
  const verticals = new Set(names.verticals);
  const offers = new Set<string>(names.offers);
  return ({ offer, brand }) => brands.has(brand) || verticals.has(offer.vertical) || offers.has(offer.id);
}
