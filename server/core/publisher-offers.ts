import type { Location } from "@offers/contract/location";
import type { Offer, Website } from "./catalogue.ts";
import type { Standing } from "./offer-choice.ts";
import { eligibleOffers } from "./targeting.ts";

/** What a publisher's server may ask for beside place and website; an absent one asks for everything. */
export type OfferWish = {
  vertical?: string | undefined;
  brand?: string | undefined;
  payoutModel?: string | undefined;
};

/**
 * Every offer that at least one of the websites may show at the location and that the wish fits, in the order of
 * the ids, so that pages of it fit together.
 */
export function publisherOffers(
  args: Standing & { websites: readonly Website[]; location: Location },
  wish: OfferWish,
): Offer[] {
  const found = new Set<Offer>();
  for (const website of args.websites) {
    const targeting = eligibleOffers({ ...args, website });
    if (targeting.outcome === "empty") continue;
    for (const offer of targeting.offers) if (fits(offer, wish)) found.add(offer);
  }
  return [...found].sort((one, other) => (one.id < other.id ? -1 : 1));
}

const fits = (offer: Offer, { vertical, brand, payoutModel }: OfferWish): boolean =>
  (vertical === undefined || offer.vertical === vertical) &&
  (brand === undefined || offer.brand === brand) &&
  (payoutModel === undefined || offer.payoutModel === payoutModel);
