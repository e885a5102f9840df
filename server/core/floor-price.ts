import type { FloorPrice } from "@offers/contract/catalogue";
import type { Offer } from "./catalogue.ts";
import { type ClickRates, meanRate } from "./click-rates.ts";
import { expectedRevenue, worthOf } from "./expected-revenue.ts";

/**
 * Whether an offer is expected to earn a website's floor price with a thousand impressions, at the mean of what is believed of
 * its click rate: a request's draw does not decide it. In another currency than the floor's it does only as far as
 * both have a rate.
 * @param currencyRate what a unit of a currency is worth beside others; null: nobody knows.
 */
export function reachesFloor(
  offer: Pick<Offer, "payoutModel" | "payoutMicros" | "currency">,
  rates: ClickRates,
  floor: FloorPrice,
  currencyRate: (currency: string) => number | null,
): boolean {
  const isSame = offer.currency === floor.currency;
  const [own, asked] = isSame ? [1, 1] : [currencyRate(offer.currency), currencyRate(floor.currency)];
  if (own === null || asked === null) return false;
  return 1000 * expectedRevenue(worthOf(offer, own), meanRate(rates.standard)) >= floor.micros * asked;
}
