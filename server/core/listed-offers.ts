import type { DashOffersQuery } from "@offers/contract/dash/looking";
import type { Offer, Website } from "./catalogue.ts";
import type { Catalogue } from "./compiled-catalogue.ts";

/** What of an offer a publisher's list is narrowed by. */
export type OfferFilter = Pick<DashOffersQuery, "search" | "vertical" | "payoutModel" | "country">;

/**
 * Every active offer that some of the websites may show somewhere, in the order in which they came. One value is yielded
 * for each offer of the catalogue, null for one that is not listed, so that whoever reads may pause in between.
 */
export function* listedOffers(
  catalogue: Pick<Catalogue, "rankedOffers" | "permits">,
  websites: readonly Website[],
): Generator<Offer | null> {
  const shown = websites.filter(({ paused }) => !paused);
  for (const { offer } of catalogue.rankedOffers()) {
    const isListed = offer.status === "active" && shown.some((website) => catalogue.permits(website, offer));
    yield isListed ? offer : null;
  }
}

/** What tells whether an offer is among those that are looked for. */
export function offerFilter({ search, vertical, payoutModel, country }: OfferFilter) {
  const wanted = search?.trim().toLowerCase();
  return (
    offer: Pick<Offer, "id" | "brand" | "title" | "vertical" | "geoCoverage" | "payoutModel">,
  ): boolean =>
    (vertical === undefined || offer.vertical === vertical) &&
    (payoutModel === undefined || offer.payoutModel === payoutModel) &&
    (country === undefined || covers(offer.geoCoverage, country)) &&
    (wanted === undefined ||
      [offer.title, offer.brand, offer.vertical, offer.id].some((text) =>
        text.toLowerCase().includes(wanted),
      ));
}

/** Whether somebody somewhere in the country is covered. */
const covers = (coverage: readonly string[], country: string): boolean =>
  coverage.some((entry) => entry === "*" || entry === country || entry.startsWith(`${country}-`));
