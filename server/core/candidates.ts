import { visitBestFirst } from "./best-first.ts";
import { type ClickRate, type LearntRates, meanRate } from "./click-rates.ts";
import { scoreOf } from "./expected-revenue.ts";
import { type OfferList, type RankedOffer, type SortedOffers, sortOffers } from "./sorted-offers.ts";

/**
 * Of so many offers at the most the click rates are drawn for an answer, nine for each of the usual places: each is some 0.6 µs,
 * for of thousands of offers hardly one is still in the processor's caches.
 */
const mostDrawn = 64;

/** Sorts a list by what its offers may earn at best, as far as anybody knows; the list is sorted once for each version. */
export type PromisingOrder = (list: OfferList, rates: LearntRates) => SortedOffers;

/** An order that remembers what it has sorted. */
export function createPromisingOrder(): PromisingOrder {
  const known = new WeakMap<OfferList, { version: number; sorted: SortedOffers }>();
  return (list, rates) => {
    const before = known.get(list);
    if (before?.version === rates.version) return before.sorted;
    const sorted = sortOffers(list, ({ offer, worth }) => {
      const { premium, standard } = rates.drawnFromOverall(offer);
      return scoreOf(worth, Math.max(mostLikely(premium), mostLikely(standard)));
    });
    known.set(list, { version: rates.version, sorted });
    return sorted;
  };
}

/** What the rate is surely not above: three standard deviations more than its mean. */
function mostLikely(rate: ClickRate): number {
  const mean = meanRate(rate);
  const deviation = Math.sqrt((mean * (1 - mean)) / (rate.clicks + rate.misses + 1));
  return Math.min(1, mean + 3 * deviation);
}

/**
 * The offers of several lists among which an answer chooses: all that are admitted where there are few. Of many it is the 64
 * that may earn most at best, so that what an answer costs does not grow with the catalogue, and beyond them one of
 * each brand until `brands` are there. Of equal ones each request meets others, so nobody is left out for good.
 */
export function candidatesOf(
  lists: readonly OfferList[],
  args: {
    request: string;
    rates: LearntRates;
    order: PromisingOrder;
    brands: number;
    admits: (ranked: RankedOffer) => boolean;
  },
): RankedOffer[] {
  const { admits } = args;
  const listed = lists.reduce((sum, { offers }) => sum + offers.length, 0);
  if (listed <= mostDrawn) {
    const found: RankedOffer[] = [];
    for (const { offers } of lists) for (const ranked of offers) if (admits(ranked)) found.push(ranked);
    return found;
  }
  return mostPromising(lists, args);
}

function mostPromising(
  lists: readonly OfferList[],
  { request, rates, order, brands: wanted, admits }: Parameters<typeof candidatesOf>[1],
): RankedOffer[] {
  const found: RankedOffer[] = [];
  const brands = new Set<string>();
  const hasAllBrands = () =>
    brands.size >= wanted ||
    lists.every(({ fewBrands }) => fewBrands?.every((brand) => brands.has(brand)) ?? false);
  const sorted = lists.map((list) => order(list, rates));
  visitBestFirst(sorted, request, (ranked) => {
    const isFull = found.length >= mostDrawn;
    if ((isFull && brands.has(ranked.brand)) || !admits(ranked)) return "go on";
    found.push(ranked);
    brands.add(ranked.brand);
    return found.length >= mostDrawn && hasAllBrands() ? "enough" : "go on";
  });
  return found;
}
