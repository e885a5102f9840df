import type { Allowlist } from "@offers/contract/catalogue";
import type { KeptAwayReason } from "@offers/contract/dash/looking";
import { brandKey } from "./brand-key.ts";
import type { Offer, Website } from "./catalogue.ts";
import { isEmptyAllowlist } from "./permission.ts";

/**
 * Why a website never shows an offer that its publisher is offered, wherever its visitors are; null: it may. It is
 * `Catalogue.permits` in words, and for a page of one catalogue: what is asked for every visit goes by compiled lists.
 */
export function keptAwayBy(
  { paused, allowlist, ownBrand }: Pick<Website, "paused" | "allowlist" | "ownBrand">,
  { id, brand, vertical }: Pick<Offer, "id" | "brand" | "vertical">,
): KeptAwayReason | null {
  if (paused) return "website_paused";
  if (isEmptyAllowlist(allowlist)) return "allowlist_empty";
  const own = brandKey(brand);
  if (ownBrand !== "" && brandKey(ownBrand) === own) return "own_brand";
  const { block, allow, mode } = allowlist;
  if (block.offers.includes(id)) return "offer_blocked";
  if (namesBrand(block, own)) return "brand_blocked";
  if (block.verticals.includes(vertical)) return "vertical_blocked";
  if (mode === "all" || allow.offers.includes(id) || namesBrand(allow, own)) return null;
  return allow.verticals.includes(vertical) ? null : "not_allowed";
}

const namesBrand = ({ brands }: Allowlist["allow"], own: string): boolean =>
  brands.some((brand) => brandKey(brand) === own);
