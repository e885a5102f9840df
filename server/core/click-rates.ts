import type { Placement } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/** The places whose click rates are told apart: what stands in the premium one is clicked because it stands there. */
export const ratedPlacements = ["premium", "standard"] as const satisfies readonly Placement[];
export type RatedPlacement = (typeof ratedPlacements)[number];

/** Counted impressions and clicks, whole numbers. */
export type Count = { impressions: number; clicks: number };

/** What has been counted of an offer in a country and a place of the answer. */
export type RateCount = Count & {
  /** The offer's number. */
  offer: number;
  /** Of the offer. */
  vertical: string;
  country: string;
  placement: RatedPlacement;
};

/** New and changed counts, and the version that they make. */
export type RateChanges = { version: number; counts: readonly RateCount[] };

/** What is believed of a click rate: the two parameters of a Beta distribution, both above 0. */
export type ClickRate = { clicks: number; misses: number };

/** That of an offer in each of the places. */
export type ClickRates = Readonly<Record<RatedPlacement, ClickRate>>;

/** Click rates that are learnt from counted events. */
export type LearntRates = {
  /** Grows with each change of the counts; 0: nothing was counted yet. */
  readonly version: number;
  /** Those of an offer in a country. */
  of(offer: Pick<Offer, "number" | "vertical">, country: string): ClickRates;
  /** Those of an offer over all countries. */
  overall(offer: Pick<Offer, "number" | "vertical">): ClickRates;
};

/** The click rate of an offer and a vertical of which nothing is known. */
const firstRate = 0.005;
/** So many impressions weigh as much as what is believed beforehand. */
const priorWeight = 300;

/**
 * Keeps click rates. The rate of an offer in a country and a place is (clicks + 300 · prior) / (impressions + 300), and
 * its prior is made in the same way of the offer's counts in that place over all countries, upon those of its
 * vertical, upon 0.5 %: what is little known is taken to be like what is near to it.
 */
export function createLearntRates(): LearntRates & { apply(changes: RateChanges): void } {
  let version = 0;
  const counted = new Map<number, CountedOffer>();
  let ofVertical = new Map<string, Counts>();
  /** Made when they are asked for, and again after each change: a vertical's events move all its offers. */
  let known = new Map<number, KnownRates>();

  const knownOf = ({ number, vertical }: Pick<Offer, "number" | "vertical">): KnownRates => {
    const before = known.get(number);
    if (before?.vertical === vertical) return before;
    const offer = counted.get(number);
    const ofAll = believe(offer?.total, believe(ofVertical.get(vertical), unknown));
    const countries = new Map<string, ClickRates>();
    for (const [country, counts] of offer?.countries ?? []) countries.set(country, believe(counts, ofAll));
    const elsewhere = believe(undefined, ofAll);
    const rates = { vertical, overall: ofAll, countries, elsewhere };
    known.set(number, rates);
    return rates;
  };

  return {
    get version() {
      return version;
    },
    of(offer, country) {
      const { countries, elsewhere } = knownOf(offer);
      return countries.get(country) ?? elsewhere;
    },
    overall: (offer) => knownOf(offer).overall,
    apply(changes) {
      for (const count of changes.counts) note(counted, count);
      ofVertical = sumsByVertical(counted);
      known = new Map();
      version = changes.version;
    },
  };
}

type Counts = Record<RatedPlacement, Count>;
type CountedOffer = { vertical: string; total: Counts; countries: Map<string, Counts> };
type KnownRates = {
  vertical: string;
  overall: ClickRates;
  countries: ReadonlyMap<string, ClickRates>;
  elsewhere: ClickRates;
};

const noCounts = (): Counts => ({
  premium: { impressions: 0, clicks: 0 },
  standard: { impressions: 0, clicks: 0 },
});

const unknown: ClickRates = { premium: priorOf(firstRate), standard: priorOf(firstRate) };

/** What a rate is worth as the prior of another. */
function priorOf(rate: number): ClickRate {
  return { clicks: priorWeight * rate, misses: priorWeight * (1 - rate) };
}

/** The mean of what is believed: above 0 and below 1. */
export function meanRate({ clicks, misses }: ClickRate): number {
  return clicks / (clicks + misses);
}

/** Counts upon what is believed of something wider. */
function believe(counts: Counts | undefined, wider: ClickRates): ClickRates {
  const at = (placement: RatedPlacement): ClickRate => {
    const prior = priorOf(meanRate(wider[placement]));
    const { impressions, clicks } = counts?.[placement] ?? { impressions: 0, clicks: 0 };
    // Clicks never exceed impressions; a damaged table must not stop every answer.
    return { clicks: prior.clicks + clicks, misses: prior.misses + Math.max(0, impressions - clicks) };
  };
  return { premium: at("premium"), standard: at("standard") };
}

function note(counted: Map<number, CountedOffer>, row: RateCount): void {
  const { offer, vertical, country, placement, impressions, clicks } = row;
  const known = counted.get(offer) ?? { vertical, total: noCounts(), countries: new Map() };
  const counts: Counts = known.countries.get(country) ?? noCounts();
  const total = known.total[placement];
  total.impressions += impressions - counts[placement].impressions;
  total.clicks += clicks - counts[placement].clicks;
  counts[placement] = { impressions, clicks };
  known.countries.set(country, counts);
  known.vertical = vertical;
  counted.set(offer, known);
}

function sumsByVertical(counted: ReadonlyMap<number, CountedOffer>): Map<string, Counts> {
  const sums = new Map<string, Counts>();
  for (const { vertical, total } of counted.values()) {
    const sum = sums.get(vertical) ?? noCounts();
    for (const placement of ratedPlacements) {
      sum[placement].impressions += total[placement].impressions;
      sum[placement].clicks += total[placement].clicks;
    }
    sums.set(vertical, sum);
  }
  return sums;
}
