import { visitBestFirst } from "./best-first.ts";
import { type ClickRates, highestRate, type LearntRates, type RatedPlacement } from "./click-rates.ts";
import { scoreOf } from "./expected-revenue.ts";
import { type OfferList, type RankedOffer, type SortedOffers, sortOffers } from "./sorted-offers.ts";

/**
 * Of so many offers at the most the click rates are drawn for an answer, nine for each of the usual places: each is some 0.6 µs,
 * for of thousands of offers hardly one is still in the processor's caches.
 */
const mostDrawn = 64;

/** For what places an answer looks for offers: for one kind, or for both. */
export type SoughtFor = RatedPlacement | "both";

/**
 * Sorts a list by what its offers may earn at best in the place that they are sought for, as far as anybody knows: all of them
 * by what is known over all countries, and once more, by what is known there, those that are better in this one. Each is
 * sorted once for each version of the rates.
 */
export type PromisingOrder = (
  list: OfferList,
  rates: LearntRates,
  country: string,
  soughtFor: SoughtFor,
) => readonly SortedOffers[];

/** An order that remembers what it has sorted. */
export function createPromisingOrder(): PromisingOrder {
  type Sorted = { version: number; overall: SortedOffers; inCountries: Map<string, SortedOffers> };
  type Known = WeakMap<OfferList, Sorted>;
  const knownFor: Record<SoughtFor, Known> = {
    premium: new WeakMap(),
    standard: new WeakMap(),
    both: new WeakMap(),
  };
  const sortedNow = (list: OfferList, rates: LearntRates, soughtFor: SoughtFor): Sorted => {
    const known = knownFor[soughtFor];
    const before = known.get(list);
    if (before?.version === rates.version) return before;
    const overall = sortOffers(list, ({ offer, worth }) =>
      scoreOf(worth, mostLikely(rates.drawnFromOverall(offer), soughtFor)),
    );
    const sorted = { version: rates.version, overall, inCountries: new Map() };
    known.set(list, sorted);
    return sorted;
  };
  return (list, rates, country, soughtFor) => {
    const { overall, inCountries } = sortedNow(list, rates, soughtFor);
    const before = inCountries.get(country);
    if (before !== undefined) return [overall, before];
    // What is paid by its views is worth as much anywhere, and would stand among its equals twice.
    const better = list.offers.filter(
      ({ offer, worth }) => worth.perClick !== 0 && rates.isBetterIn(offer, country),
    );
    const there = sortOffers({ offers: better }, ({ offer, worth }) =>
      scoreOf(worth, mostLikely(rates.drawnFrom(offer, country), soughtFor)),
    );
    inCountries.set(country, there);
    return [overall, there];
  };
}

/** So many standard deviations. One that is passed over by bad luck is drawn again when another one falls. */
const likely = 3;

/** What the rate is hardly above in that place; of both, where it is higher. */
function mostLikely(rates: ClickRates, soughtFor: SoughtFor): number {
  if (soughtFor !== "both") return highestRate(rates[soughtFor], likely);
  return Math.max(highestRate(rates.premium, likely), highestRate(rates.standard, likely));
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
    /** Where the visitor is. */
    country: string;
    rates: LearntRates;
    order: PromisingOrder;
    soughtFor: SoughtFor;
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
  { request, country, rates, order, soughtFor, brands: wanted, admits }: Parameters<typeof candidatesOf>[1],
): RankedOffer[] {
  const found: RankedOffer[] = [];
  const brands = new Set<string>();
  const hasAllBrands = () =>
    brands.size >= wanted ||
    lists.every(({ fewBrands }) => fewBrands?.every((brand) => brands.has(brand)) ?? false);
  const sorted = lists.flatMap((list) => order(list, rates, country, soughtFor));
  // What is better here comes once for that, and once by what is known of it elsewhere.
  const met = new Set<RankedOffer>();
  visitBestFirst(sorted, request, (ranked) => {
    if (met.has(ranked)) return "go on";
    met.add(ranked);
    const isFull = found.length >= mostDrawn;
    if ((isFull && brands.has(ranked.brand)) || !admits(ranked)) return "go on";
    found.push(ranked);
    brands.add(ranked.brand);
    return found.length >= mostDrawn && hasAllBrands() ? "enough" : "go on";
  });
  return found;
}
