import type { DashOffer, DashOffers, DashOffersQuery } from "@offers/contract/dash/looking";
import type { Offer, Website } from "../../core/catalogue.ts";
import type { Catalogue } from "../../core/compiled-catalogue.ts";
import { keptAwayBy } from "../../core/kept-away.ts";
import { listedOffers, offerFilter } from "../../core/listed-offers.ts";
import { inSlices } from "../in-slices.ts";

/**
 * The text of a page of the offers that some of these websites may show, as it is sent. It takes no longer than some
 * milliseconds of any turn of the event loop, but for one offer, of which each website is told.
 */
export async function offersText(
  catalogue: Pick<Catalogue, "rankedOffers" | "permits">,
  websites: readonly Website[],
  { page, pageSize, ...filter }: DashOffersQuery,
): Promise<string> {
  const fits = offerFilter(filter);
  const from = (page - 1) * pageSize;
  const found: Offer[] = [];
  const verticals = new Set<string>();
  let total = 0;
  await inSlices(listedOffers(catalogue, websites), (offer) => {
    if (offer === null) return;
    verticals.add(offer.vertical);
    if (!fits(offer)) return;
    if (total >= from && found.length < pageSize) found.push(offer);
    total += 1;
  });
  const items: string[] = [];
  await inSlices(found, (offer) => {
    items.push(JSON.stringify(told(offer, websites)));
  });
  const rest: Omit<DashOffers, "items"> = { page, pageSize, total, verticals: [...verticals].sort() };
  return `{"items":[${items.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

const told = (offer: Offer, websites: readonly Website[]): DashOffer => {
  const { id: offerId, brand, vertical, title, geoCoverage, payoutModel } = offer;
  return {
    ...{ offerId, brand, vertical, title, geoCoverage, payoutModel },
    websites: websites.map((website) => ({
      websiteKey: website.key,
      keptAwayBy: keptAwayBy(website, offer),
    })),
  };
};
