import type { Location } from "@offers/contract/location";
import type { Surface } from "@offers/contract/words";
import { brandKey } from "./brand-key.ts";
import type { Offer, Website } from "./catalogue.ts";
import { type Standing, seesThePage } from "./offer-choice.ts";
import type { RequestFacts } from "./request-id.ts";
import type { Suppression } from "./suppression.ts";
import { eligibleOffers } from "./targeting.ts";

/**
 * What a publisher's server may ask for beside place and website; an absent one asks for everything. A brand is that of
 * its key, as in allowlists and reports.
 */
export type OfferWish = {
  vertical?: string | undefined;
  brand?: string | undefined;
  payoutModel?: string | undefined;
};

/**
 * Every offer that the website may show to a visit where its decision located it, and that the wish fits, in the order of
 * the ids; none when its visitor sees the page. Like all lists for servers they go by schedules, and not by who visits.
 */
export function visitOffers(
  { website, facts, ...standing }: Standing & { website: Website; facts: RequestFacts },
  wish: OfferWish,
): Offer[] {
  if (seesThePage(website, facts)) return [];
  const { suppression } = facts;
  const { surface } = facts;
  return publisherOffers({ ...standing, websites: [website], location: facts, surface, suppression }, wish);
}

/**
 * Every offer that at least one of the websites may show at the location and that the wish fits, in the order of
 * the ids, so that pages of it fit together.
 */
export function publisherOffers(
  args: Standing & {
    websites: readonly Website[];
    location: Location;
    /** On which surface; absent: any. */
    surface?: Surface | undefined;
    /** What a visitor is not shown. */
    suppression?: Suppression | undefined;
  },
  wish: OfferWish,
): Offer[] {
  const found = new Set<Offer>();
  const fits = fitting(wish);
  for (const website of args.websites) {
    const targeting = eligibleOffers({ ...args, website });
    if (targeting.outcome === "empty") continue;
    for (const offer of targeting.offers) if (fits(offer)) found.add(offer);
  }
  return [...found].sort((one, other) => (one.id < other.id ? -1 : 1));
}

const fitting = ({ vertical, brand, payoutModel }: OfferWish): ((offer: Offer) => boolean) => {
  const wanted = brand === undefined ? null : brandKey(brand);
  return (offer) =>
    (vertical === undefined || offer.vertical === vertical) &&
    (payoutModel === undefined || offer.payoutModel === payoutModel) &&
    (wanted === null || offer.brand === brand || brandKey(offer.brand) === wanted);
};
