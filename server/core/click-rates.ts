import type { Placement } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import {
  createWebsiteFactors,
  surelyNotAbove,
  type WebsiteCount,
  type WebsiteFactors,
} from "./website-factors.ts";

/** The places whose click rates are told apart: what stands in the premium one is clicked because it stands there. */
export const ratedPlacements = ["premium", "standard"] as const satisfies readonly Placement[];
export type RatedPlacement = (typeof ratedPlacements)[number];

/**
 * Once so many impressions of an offer in a country and a place are counted, that row goes on from half of its figures: what
 * was long ago fades, and an offer whose landing page is gone does not keep its place by it.
 */
export const mostCounted = 20_000;

/**
 * Counted impressions and clicks. A click counts as one wherever it was made, and an impression by the factor that its website
 * had then: 1 on a usual one, and less where everything is clicked less.
 */
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

/** New and changed counts, and the version that they make. `websites` absent: none. */
export type RateChanges = {
  version: number;
  counts: readonly RateCount[];
  websites?: readonly WebsiteCount[];
};

/** What is believed of a click rate: the two parameters of a Beta distribution, both above 0. */
export type ClickRate = { clicks: number; misses: number };

/** The click rate of an offer in each of the places. */
export type ClickRates = Readonly<Record<RatedPlacement, ClickRate>>;

/** Click rates that are learnt from counted events. */
export type LearntRates = {
  /** Grows with each change of the counts; 0: nothing was counted yet. */
  readonly version: number;
  /** The rate of an offer in a country, of all its views, wherever it stood. Its mean is how often one is expected to be clicked. */
  of(offer: Pick<Offer, "number" | "vertical">, country: string): ClickRate;
  /**
   * How often an offer of which nothing was counted is expected to be clicked, wherever it stands: as those of its vertical,
   * or as any offer if that is more.
   */
  beforehand(offer: Pick<Offer, "number" | "vertical">): number;
  /** What the rate of all its views is surely not above in a country, by what `beforehand` and the offer's own counts say. */
  highestOf(offer: Pick<Offer, "number" | "vertical">, country: string): number;
  /** The distributions from which the rates are drawn that rank an offer in a country. */
  drawnFrom(offer: Pick<Offer, "number" | "vertical">, country: string): ClickRates;
  /** The same over all countries. */
  drawnFromOverall(offer: Pick<Offer, "number" | "vertical">): ClickRates;
  /** Beside the rates that are told here, which are those of a usual website. */
  factorOn: WebsiteFactors["on"];
  /** Whether clearly more of an offer's views were clicked in a country, in one of the places, than over all countries. */
  isBetterIn(offer: Pick<Offer, "number">, country: string): boolean;
};

/** The click rate of an offer and a vertical of which nothing is known. */
const firstRate = 0.005;
/** So many impressions weigh as much as what is believed beforehand. */
const priorWeight = 300;
/**
 * Of a draw less is believed beforehand, and nothing below 1 % or a third of the rate of all offers in that place: offers that
 * were never tried must come to be tried, beside well-clicked ones too. All of that rate would try too much.
 */
const drawnPriorWeight = 30;
const leastDrawnPrior = 0.01;
const leastShareOfAll = 1 / 3;
/** So many impressions at the most an offer's other countries weigh in a draw: beyond them a country's own decide. */
const mostFromElsewhere = 3000;

/**
 * Keeps click rates. The rate of an offer in a country is (clicks + 300 · prior) / (impressions + 300), and its prior is made
 * in the same way of the offer's counts over all countries, upon those of its vertical, upon 0.5 %: what is little known is
 * taken to be like what is near to it.
 *
 * A draw tells the places apart, and asks something else: whether an offer may be far better than what is near to it. A
 * vertical's impressions are mostly those of few offers, and 300 of them at a bad one's rate would keep its siblings from ever
 * being tried. So a draw believes only 30 impressions beforehand, at the greatest of 1 %, the vertical's rate and a third of
 * that of all offers; and what is counted in other countries counts in full, up to 3000 impressions, so that not every country
 * has to try every offer anew.
 *
 * Websites and surfaces are told apart by a factor each, which all their offers share: an overlay that is met first is clicked
 * more than a section at the foot of a page. It is what was clicked there beside what was expected by the offers' rates. An
 * impression counts in an offer's row by that factor, so what was mostly shown where everything is clicked is not taken to be
 * better than what was not.
 */
export function createLearntRates(): LearntRates & {
  apply(changes: RateChanges): void;
  /** Forgets all counts: those of another database come next. */
  forget(): void;
  /** Moves what was counted of offers to the verticals that they have now. */
  regroup(offers: readonly Pick<Offer, "number" | "vertical">[]): void;
} {
  let version = 0;
  const counted = new Map<number, CountedOffer>();
  let ofVertical = new Map<string, Counts>();
  let ofAll = noCounts();
  const factors = createWebsiteFactors();
  /** Made when they are asked for, and again after each change: a vertical's events move all its offers. */
  let known = new Map<number, KnownRates>();

  const knownOf = ({ number, vertical }: Pick<Offer, "number" | "vertical">): KnownRates => {
    const before = known.get(number);
    if (before?.vertical === vertical) return before;
    const total = counted.get(number)?.total ?? noCounts();
    const counts = ofVertical.get(vertical) ?? noCounts();
    const alike = believe(inBoth(counts), unknown);
    const overall = { mean: believe(inBoth(total), alike), drawn: believeForDraw(total, counts, ofAll) };
    const beforehand = Math.max(firstRate, meanRate(alike));
    const elsewhere = believeIn(noCounts(), overall);
    const rates = { vertical, beforehand, highest: new Map(), overall, elsewhere, countries: new Map() };
    known.set(number, rates);
    return rates;
  };
  const knownIn = (offer: Pick<Offer, "number" | "vertical">, country: string): Beliefs => {
    const { overall, elsewhere, countries } = knownOf(offer);
    const before = countries.get(country);
    if (before) return before;
    const counts = counted.get(offer.number)?.countries.get(country);
    if (!counts) return elsewhere;
    const beliefs = believeIn(counts, overall);
    countries.set(country, beliefs);
    return beliefs;
  };

  const forgetBeliefs = (): void => {
    ofVertical = sumsByVertical(counted);
    ofAll = sumOf(ofVertical.values());
    known = new Map();
  };

  return {
    get version() {
      return version;
    },
    of: (offer, country) => knownIn(offer, country).mean,
    beforehand: (offer) => knownOf(offer).beforehand,
    highestOf(offer, country) {
      const { beforehand, highest } = knownOf(offer);
      const before = highest.get(country);
      if (before !== undefined) return before;
      const own = counted.get(offer.number);
      const each = [own?.total, own?.countries.get(country)].map((counts) =>
        highestRate(seen(inBoth(counts ?? noCounts()), priorOf(beforehand, priorWeight)), surelyNotAbove),
      );
      const found = Math.min(...each);
      highest.set(country, found);
      return found;
    },
    drawnFrom: (offer, country) => knownIn(offer, country).drawn,
    drawnFromOverall: (offer) => knownOf(offer).overall.drawn,
    factorOn: factors.on,
    isBetterIn: ({ number }, country) => {
      const offer = counted.get(number);
      const there = offer?.countries.get(country);
      return (
        there !== undefined && ratedPlacements.some((place) => isMore(there[place], offer?.total[place]))
      );
    },
    apply(changes) {
      for (const count of changes.counts) note(counted, count);
      for (const website of changes.websites ?? []) factors.note(website);
      forgetBeliefs();
      version = changes.version;
    },
    forget() {
      counted.clear();
      factors.forget();
      forgetBeliefs();
    },
    regroup(offers) {
      let hasMoved = false;
      for (const { number, vertical } of offers) {
        const offer = counted.get(number);
        if (offer === undefined || offer.vertical === vertical) continue;
        offer.vertical = vertical;
        hasMoved = true;
      }
      if (hasMoved) forgetBeliefs();
    },
  };
}

/** What is less is chance in most cases, and each costs a belief of its own. */
const clearlyMore = 1.5;

/** Whether a clearly greater share of the views was clicked. */
function isMore(one: Count, other: Count = { impressions: 0, clicks: 0 }): boolean {
  return one.clicks * other.impressions > clearlyMore * other.clicks * one.impressions;
}

type Counts = Record<RatedPlacement, Count>;
type CountedOffer = { vertical: string; total: Counts; countries: Map<string, Counts> };
/** What is expected, and what is drawn from. */
type Beliefs = { mean: ClickRate; drawn: ClickRates };
type KnownRates = {
  vertical: string;
  beforehand: number;
  /** By country, where it was asked for. */
  highest: Map<string, number>;
  overall: Beliefs;
  /** Where nothing of the offer was counted. */
  elsewhere: Beliefs;
  /** Of the countries in which something of the offer was counted, those that were asked for. */
  countries: Map<string, Beliefs>;
};

const noCounts = (): Counts => ({
  premium: { impressions: 0, clicks: 0 },
  standard: { impressions: 0, clicks: 0 },
});

/** What was counted of all views, wherever the offer stood. */
const inBoth = ({ premium, standard }: Counts): Count => ({
  impressions: premium.impressions + standard.impressions,
  clicks: premium.clicks + standard.clicks,
});

const unknown: ClickRate = priorOf(firstRate, priorWeight);

/** What a rate is worth as the prior of another. */
function priorOf(rate: number, weight: number): ClickRate {
  return { clicks: weight * rate, misses: weight * (1 - rate) };
}

/** The mean of what is believed: above 0 and below 1. */
export function meanRate({ clicks, misses }: ClickRate): number {
  return clicks / (clicks + misses);
}

/** What the rate is surely not above: so many standard deviations more than its mean, and no more than 1. */
export function highestRate(rate: ClickRate, deviations: number): number {
  const mean = meanRate(rate);
  const one = Math.sqrt((mean * (1 - mean)) / (rate.clicks + rate.misses + 1));
  return Math.min(1, mean + deviations * one);
}

/** Counts upon what is believed of something wider. */
function believe(counts: Count, wider: ClickRate): ClickRate {
  return seen(counts, priorOf(meanRate(wider), priorWeight));
}

/** What an offer's rate is drawn from, over all countries: its counts upon little that is known of those alike, and of all. */
function believeForDraw(total: Counts, ofVertical: Counts, ofAll: Counts): ClickRates {
  return inEach((place) => {
    const alike = meanRate(believe(ofVertical[place], unknown));
    const all = meanRate(believe(ofAll[place], unknown));
    const prior = Math.max(leastDrawnPrior, alike, leastShareOfAll * all);
    return seen(total[place], priorOf(prior, drawnPriorWeight));
  });
}

/** What is believed in a country of an offer with these counts there. */
function believeIn(counts: Counts, overall: Beliefs): Beliefs {
  return {
    mean: believe(inBoth(counts), overall.mean),
    drawn: inEach((place) => {
      const own = seen(counts[place], { clicks: 0, misses: 0 });
      const clicks = overall.drawn[place].clicks - own.clicks;
      const misses = overall.drawn[place].misses - own.misses;
      const share = Math.min(1, mostFromElsewhere / (clicks + misses));
      return seen(counts[place], { clicks: share * clicks, misses: share * misses });
    }),
  };
}

/** Clicks never exceed impressions; a damaged table must not stop every answer. */
function seen({ impressions, clicks }: Count, before: ClickRate): ClickRate {
  return { clicks: before.clicks + clicks, misses: before.misses + Math.max(0, impressions - clicks) };
}

function inEach(rateIn: (placement: RatedPlacement) => ClickRate): ClickRates {
  return { premium: rateIn("premium"), standard: rateIn("standard") };
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
    addTo(sum, total);
    sums.set(vertical, sum);
  }
  return sums;
}

function sumOf(each: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const counts of each) addTo(sum, counts);
  return sum;
}

function addTo(sum: Counts, counts: Counts): void {
  for (const placement of ratedPlacements) {
    sum[placement].impressions += counts[placement].impressions;
    sum[placement].clicks += counts[placement].clicks;
  }
}
