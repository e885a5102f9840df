import type { Location } from "@offers/contract/location";
import type { EmptyReason, RemovalReason, Surface } from "@offers/contract/words";
import type { SupposedAudience } from "./audience.ts";
import type { Offer, Website } from "./catalogue.ts";
import type { LearntRates } from "./click-rates.ts";
import type { Catalogue } from "./compiled-catalogue.ts";
import { reachesFloor } from "./floor-price.ts";
import { isEmptyAllowlist } from "./permission.ts";
import type { RankedOffer } from "./sorted-offers.ts";
import { isSuppressed, type Suppression } from "./suppression.ts";

/** The offers that may be shown, or why there is none. */
export type Targeting = { outcome: "offers"; offers: Offer[] } | { outcome: "empty"; reason: EmptyReason };

/** What decides about an offer that the website permits and that covers the place. */
type Screen = {
  /** Whether every cap of the offer of this number, and its advertiser's balance, still holds one price. */
  hasBudget: (offer: number) => boolean;
  /** Whether this request is one of those that an offer is handed to whose budget is spread over the day; absent: each is. */
  isItsTurn?: (ranked: RankedOffer) => boolean;
  /** What this visitor is not shown, whatever the allowlist permits. */
  suppression?: Suppression | undefined;
  /** The moment of the answer, in milliseconds since the epoch; absent: it does not matter when offers run. */
  now?: number;
  /** Absent: it does not matter for whom offers are. */
  visitor?: SupposedAudience | undefined;
  catalogue: Pick<Catalogue, "currencyRate" | "schedules" | "audiences">;
  rates: LearntRates;
  website: Pick<Website, "id" | "floor">;
  location: Location;
  /** On which surface; absent: any of the website's. */
  surface?: Surface | undefined;
};

/** Judges permitted offers one by one, and remembers why those that it kept out were. */
export type Screening = {
  /** Why the offer is kept out; null: it is let through. */
  refusalOf(ranked: RankedOffer): RemovalReason | null;
  /** Why nothing is shown, once every permitted offer was judged and none was let through. */
  emptyReason(): EmptyReason;
};

/** Begins to judge the permitted offers of one request. */
export function screenOffers(screen: Screen): Screening {
  const { hasBudget, isItsTurn, now, visitor, suppression, catalogue, rates, website, location } = screen;
  const { floor } = website;
  const factor = rates.factorOn(website.id, screen.surface);
  const isMeant = visitor && catalogue.audiences.forVisitor(visitor);
  let someAreForOthers = false;
  let someLackBudget = false;
  let someAreSuppressed = false;
  /** By vertical: there are few of them, and their names are split into words. */
  const withheld = new Map<string, boolean>();
  const isWithheld = (vertical: string): boolean => {
    if (!suppression) return false;
    const known = withheld.get(vertical) ?? isSuppressed(suppression, vertical);
    withheld.set(vertical, known);
    return known;
  };
  const earnsEnough = (offer: Offer): boolean =>
    floor.micros === 0 || reachesFloor(offer, location.country, rates, floor, catalogue.currencyRate, factor);
  return {
    refusalOf(ranked) {
      const { offer } = ranked;
      if (now !== undefined && !catalogue.schedules.runs(offer, now)) {
        someAreForOthers = true;
        return "not_running";
      }
      if (isMeant?.(offer) === false) {
        someAreForOthers = true;
        return "not_for_visitor";
      }
      if (!hasBudget(offer.number)) {
        someLackBudget = true;
        return "budgets_exhausted";
      }
      if (isItsTurn?.(ranked) === false) {
        someLackBudget = true;
        return "not_its_turn";
      }
      if (!earnsEnough(offer)) {
        someAreForOthers = true;
        return "no_offer_for_visit";
      }
      if (!isWithheld(offer.vertical)) return null;
      someAreSuppressed = true;
      return "suppressed";
    },
    emptyReason() {
      if (someAreSuppressed) return "suppressed";
      if (someLackBudget) return "budgets_exhausted";
      return someAreForOthers ? "no_offer_for_visit" : "no_offer_for_location";
    },
  };
}

/**
 * Finds the offers that a website may show at a location: active, covering it, permitted, with budget left.
 * They come in no meaningful order.
 */
export function eligibleOffers(args: Screen & { catalogue: Catalogue; website: Website }): Targeting {
  if (isEmptyAllowlist(args.website.allowlist)) return { outcome: "empty", reason: "allowlist_empty" };
  const { all, mayShow } = args.catalogue.rankedOffersAt(args.website, args.location);
  const screening = screenOffers(args);
  const offers: Offer[] = [];
  for (const list of all) {
    for (const ranked of list.offers) {
      if (mayShow(ranked) && screening.refusalOf(ranked) === null) offers.push(ranked.offer);
    }
  }
  return offers.length > 0
    ? { outcome: "offers", offers }
    : { outcome: "empty", reason: screening.emptyReason() };
}
