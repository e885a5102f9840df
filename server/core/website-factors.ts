import { type Surface, surfaces } from "@offers/contract/words";

/**
 * A website's row goes on from half of its figures once so many clicks were expected there: its pages change, and by a
 * thousand clicks its factor is known to 3 %.
 */
export const mostExpected = 1000;

/**
 * An offer's views and clicks in a country and a place tell something of a website once they weigh as much as so many views: by
 * fewer, what is expected of the offer itself would be a guess.
 */
export const leastKnown = 300;

/** What is believed beforehand of a website weighs as much as so many expected clicks. */
export const websitePrior = 20;

/**
 * A floor price looks at a rate after every view and shuts out for good, so one of many looks must not meet bad luck: by three
 * deviations 1.3 % of offers at 1.25 times their floor were lost, and by four 0.4 %.
 */
export const surelyNotAbove = 4;

/** What was clicked on a surface of a website, and how much of it was expected by the rates of the offers that were seen there. */
export type WebsiteCount = { websiteId: number; surface: Surface; clicks: number; expected: number };

/** How often offers are clicked in a place of the web, as a multiple of how often they are in a usual one. */
export type WebsiteFactor = {
  mean: number;
  /** What it is surely not above. */
  highest: number;
};

export type WebsiteFactors = {
  /**
   * How often offers are clicked on a surface of a website. Without a surface each figure is the best of them all, those on which
   * nothing was counted included: what may be shown on any of them passes.
   */
  on(websiteId: number, surface: Surface | undefined): WebsiteFactor;
  /** Takes what was counted in the place of what was counted before. */
  note(count: WebsiteCount): void;
  forget(): void;
};

/** Keeps the factors of websites' surfaces. */
export function createWebsiteFactors(): WebsiteFactors {
  /** One map by numbers, for there may be a hundred thousand of them. */
  const factors = new Map<number, WebsiteFactor>();
  return {
    on(websiteId, surface) {
      const onOne = (one: Surface): WebsiteFactor => factors.get(keyOf(websiteId, one)) ?? usual;
      if (surface !== undefined) return onOne(surface);
      const all = surfaces.map(onOne);
      return {
        mean: Math.max(...all.map(({ mean }) => mean)),
        highest: Math.max(...all.map(({ highest }) => highest)),
      };
    },
    note(count) {
      factors.set(keyOf(count.websiteId, count.surface), factorOf(count));
    },
    forget() {
      factors.clear();
    },
  };
}

/** A click rate as it is on a website, where its factor is known: no more than 1. */
export function rateWith(factor: number, rate: number): number {
  return Math.min(1, factor * rate);
}

function keyOf(websiteId: number, surface: Surface): number {
  return websiteId * surfaces.length + surfaces.indexOf(surface);
}

/** Clicks come as of a Poisson distribution, so their number is the square of its deviation. */
function factorOf({ clicks, expected }: Pick<WebsiteCount, "clicks" | "expected">): WebsiteFactor {
  const all = Math.max(0, expected) + websitePrior;
  const found = Math.max(0, clicks) + websitePrior;
  return { mean: found / all, highest: (found + surelyNotAbove * Math.sqrt(found)) / all };
}

/** Of a website of which nothing is known. */
const usual = factorOf({ clicks: 0, expected: 0 });
