import type { FloorPrice } from "@offers/contract/catalogue";
import type { Offer } from "./catalogue.ts";
import { type LearntRates, meanRate } from "./click-rates.ts";
import { expectedRevenue, type PricedOffer, worthOf } from "./expected-revenue.ts";
import { rateWith, type WebsiteFactor } from "./website-factors.ts";

/**
 * Whether an offer is expected to earn a website's floor price with a thousand impressions in a country, at the mean of what is
 * believed of its click rate: a request's draw does not decide it. Impressions in the premium place and in standard ones are
 * asked together: of one that always has the premium place nothing else is known. One that was let through when nothing was
 * known of it stays until its rate is surely too low, since without views it would never show that it had only been unlucky.
 * So do all offers of a website until it is surely one where less is clicked than on a usual one. In another currency than the
 * floor's it does only as far as both have a rate.
 * @param factor how often offers are clicked on the website's surface.
 * @param currencyRate what a unit of a currency is worth beside others; null: nobody knows.
 */
export function reachesFloor(
  offer: PricedOffer & Pick<Offer, "number" | "vertical" | "currency">,
  country: string,
  rates: Pick<LearntRates, "of" | "beforehand" | "highestOf">,
  floor: FloorPrice,
  currencyRate: (currency: string) => number | null,
  factor: WebsiteFactor,
): boolean {
  const isSame = offer.currency === floor.currency;
  const [own, asked] = isSame ? [1, 1] : [currencyRate(offer.currency), currencyRate(floor.currency)];
  if (own === null || asked === null) return false;
  const worth = worthOf(offer, own);
  const isEnough = (times: number, clickRate: number): boolean =>
    1000 * expectedRevenue(worth, rateWith(times, clickRate)) >= floor.micros * asked;
  if (isEnough(factor.mean, meanRate(rates.of(offer, country)))) return true;
  const hoped = Math.min(factor.highest, Math.max(1, factor.mean));
  return isEnough(hoped, rates.beforehand(offer)) && isEnough(hoped, rates.highestOf(offer, country));
}
