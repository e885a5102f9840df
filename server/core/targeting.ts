import type { OfferId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import type { EmptyReason } from "@offers/contract/words";
import type { Offer, Website } from "./catalogue.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { isEmptyAllowlist } from "./permission.ts";
import { isSuppressed, type Suppression } from "./suppression.ts";

/** The offers that may be shown, or why there is none. */
export type Targeting = { outcome: "offers"; offers: Offer[] } | { outcome: "empty"; reason: EmptyReason };

/**
 * Finds the offers that a website may show at a location: active, covering it, permitted, with budget left.
 * They come in no meaningful order.
 * @param args.hasBudget whether every cap of the offer, and its advertiser's balance, still holds one price.
 * @param args.suppression what this visitor is not shown, whatever the allowlist permits.
 */
export function eligibleOffers(args: {
  catalogue: Catalogue;
  website: Website;
  location: Location;
  hasBudget: (offer: number) => boolean;
  suppression?: Suppression | undefined;
}): Targeting {
  const { catalogue, website, location, hasBudget, suppression } = args;
  if (isEmptyAllowlist(website.allowlist)) return { outcome: "empty", reason: "allowlist_empty" };
  const offers: Offer[] = [];
  let someLackBudget = false;
  let someAreSuppressed = false;
  for (const offer of catalogue.activeOffersAt(location)) {
    if (!catalogue.permits(website, offer)) continue;
    if (!hasBudget(offer.number)) someLackBudget = true;
    else if (isSuppressed(suppression, offer.vertical)) someAreSuppressed = true;
    else offers.push(offer);
  }
  if (offers.length > 0) return { outcome: "offers", offers };
  if (someAreSuppressed) return { outcome: "empty", reason: "suppressed" };
  return { outcome: "empty", reason: someLackBudget ? "budgets_exhausted" : "no_offer_for_location" };
}
