import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Offer } from "../server/core/catalogue.ts";
import {
  createLearntRates,
  type RateCount,
  type RatedPlacement,
  ratedPlacements,
} from "../server/core/click-rates.ts";
import { chooseOffers } from "../server/core/offer-choice.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite, unpaced } from "../server/core/sample-catalogue.ts";
import { seededRandom } from "../server/core/seeded-random.ts";
import { atLeast, type Check, printChecks, readNumbers, sumOf } from "./checks.ts";

export type SimulatorOptions = {
  runs: number;
  /** Visitors of one run, each with one answer. */
  requests: number;
  offers: number;
  /** Standard offers in an answer beside the premium one. */
  standard: number;
};

/** What was earned, each as a share of what an oracle earns that knows every true click rate. */
export type SimulatedRun = {
  seed: number;
  learnt: number;
  /** Over the last quarter of the visitors. */
  learntLate: number;
  /** Always the same order, by price: what a ranking without rates does. */
  fixed: number;
  /** The learnt one's over each hundredth of the visitors. */
  course: number[];
};

const countries = ["DE", "FR", "GB", "US"] as const;
/** True click rates of the standard places, from 0.1 %; the premium one has half as much again, so up to 5 %. */
const leastRate = 0.001;
const mostRate = 0.05 / 1.5;
const premiumFactor = 1.5;
/** So many visitors come between one version of the rates and the next. */
const renewedAfter = 500;
const coursePoints = 100;

/**
 * Visitors of four countries with known click rates come to one website, are shown what the service's own ranking chooses, and
 * click or do not; the rates are learnt from nothing but that. What is earned is the sum of what the shown offers are truly
 * expected to earn, so luck with clicks is no part of it.
 */
export function simulate(
  seed: number,
  { requests, offers: count, standard }: SimulatorOptions,
): SimulatedRun {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least * (most / least) ** random();
  const offers = Array.from({ length: count }, (_, at) =>
    sampleOffer({
      ...{ number: at + 1, id: `offer_${at}`, brand: `brand ${at}`, vertical: `vertical-${at % 6}` },
      payoutMicros: Math.round(between(100_000, 2_000_000)),
    }),
  );
  const rates = offers.map(() => between(leastRate, mostRate));
  const truth = (offer: Offer, placement: RatedPlacement): number =>
    (rates[offer.number - 1] ?? 0) * (placement === "premium" ? premiumFactor : 1);
  const worth = ({ premium, standard: others }: Shown): number =>
    sumOf(premium.map((offer) => truth(offer, "premium") * offer.payoutMicros)) +
    sumOf(others.map((offer) => truth(offer, "standard") * offer.payoutMicros));
  const inOrder = (earns: (offer: Offer) => number): Shown => {
    const [first, ...others] = offers.toSorted((one, other) => earns(other) - earns(one));
    return { premium: first === undefined ? [] : [first], standard: others.slice(0, standard) };
  };
  const oracle = worth(inOrder((offer) => truth(offer, "standard") * offer.payoutMicros));
  const website = sampleWebsite();
  const catalogue = sampleCatalogue({ websites: [website], offers });
  const learnt = createLearntRates();
  const counts = countEvents();
  const course = Array.from({ length: coursePoints }, () => 0);
  let [earned, earnedLate] = [0, 0];
  for (let visitor = 0; visitor < requests; visitor += 1) {
    const country = countries[Math.floor(random() * countries.length)] ?? "DE";
    const facts = {
      allowed: false,
      surface: "overlay" as const,
      country,
      region: "",
      request: `${seed} ${visitor}`,
    };
    const standing = { catalogue, rates: learnt, website, hasBudget: () => true, ...unpaced };
    const shown = chooseOffers({ facts, ...standing, limit: standard });
    const share = worth(shown) / oracle;
    earned += share;
    if (visitor >= requests * 0.75) earnedLate += share;
    const point = Math.floor((visitor * coursePoints) / requests);
    course[point] = (course[point] ?? 0) + (share * coursePoints) / requests;
    for (const placement of ratedPlacements) {
      for (const offer of shown[placement])
        counts.see(offer, country, placement, random() < truth(offer, placement));
    }
    if (visitor % renewedAfter === renewedAfter - 1) {
      learnt.apply({ version: visitor + 1, counts: counts.take() });
    }
  }
  return {
    seed,
    learnt: earned / requests,
    learntLate: earnedLate / (requests - Math.ceil(requests * 0.75)),
    fixed: worth(inOrder(({ payoutMicros }) => payoutMicros)) / oracle,
    course,
  };
}

type Shown = Record<RatedPlacement, Offer[]>;

/** The counts that an event moved since they were last taken, as the store tells them. */
const countEvents = () => {
  const all = new Map<string, RateCount>();
  let changed = new Set<RateCount>();
  return {
    see: (
      { number, vertical }: Offer,
      country: string,
      placement: RatedPlacement,
      isClick: boolean,
    ): void => {
      const key = `${number} ${country} ${placement}`;
      const known = all.get(key) ?? {
        offer: number,
        vertical,
        country,
        placement,
        impressions: 0,
        clicks: 0,
      };
      known.impressions += 1;
      if (isClick) known.clicks += 1;
      all.set(key, known);
      changed.add(known);
    },
    take: (): RateCount[] => {
      const taken = [...changed].map((count) => ({ ...count }));
      changed = new Set();
      return taken;
    },
  };
};

/** Runs of the seeds 1, 2, 3 and so on. */
export function simulateAll(options: SimulatorOptions): SimulatedRun[] {
  return Array.from({ length: options.runs }, (_, at) => simulate(at + 1, options));
}

/** The worst run against the bars: 93 % of the oracle's revenue, and 97 % over the last quarter. */
export function judgeRuns(runs: readonly SimulatedRun[]): Check[] {
  const worst = (figureOf: (run: SimulatedRun) => number): number =>
    Number((100 * Math.min(...runs.map(figureOf))).toFixed(2));
  const fixed = runs.map((run) => run.fixed).sort((one, other) => one - other);
  const percent = (share: number | undefined): string => `${(100 * (share ?? 0)).toFixed(1)} %`;
  return [
    atLeast(
      "revenue of the worst run, in percent of the oracle's",
      worst((run) => run.learnt),
      93,
    ),
    atLeast(
      "over its last quarter",
      worst((run) => run.learntLate),
      97,
    ),
    {
      claim: "a fixed order by price earns, in the worst run and in the middle one",
      holds: true,
      seen: `${percent(fixed[0])}, ${percent(fixed[Math.floor(fixed.length / 2)])}`,
    },
  ];
}

/** The course of all runs as a picture: what is learnt, and the fixed order of each run. */
export function drawRuns(runs: readonly SimulatedRun[]): string {
  const [width, height, left, top] = [720, 300, 56, 12];
  const x = (part: number): number => Math.round(left + part * (width - left - 16));
  const y = (share: number): number => Math.round(top + (1 - share) * (height - top - 40));
  const line = (points: readonly string[], style: string): string =>
    `<polyline fill="none" ${style} points="${points.join(" ")}"/>`;
  const marks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${x(0)}" x2="${x(1)}" y1="${y(share)}" y2="${y(share)}" stroke="#ccc"/>` +
      `<text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  );
  const learnt = runs.map(({ course }) =>
    line(
      course.map((share, at) => `${x((at + 0.5) / course.length)},${y(share)}`),
      'stroke="#0a6e5c" stroke-opacity="0.5"',
    ),
  );
  const fixed = runs.map(({ fixed: share }) =>
    line(
      [`${x(0)},${y(share)}`, `${x(1)},${y(share)}`],
      'stroke="#b04a1f" stroke-opacity="0.4" stroke-dasharray="4 4"',
    ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>Revenue of learnt click rates over the visitors of ${runs.length} runs, in percent of an oracle's; dashed: a fixed order by price</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${[...marks, ...fixed, ...learnt].join("\n")}
<text x="${x(0.5)}" y="${height - 12}" text-anchor="middle">visitors, from the first to the last; dashed: a fixed order by price</text>
</svg>
`;
}

if (import.meta.main) {
  const defaults = { runs: 20, requests: 200_000, offers: 30, standard: 0, draw: 0 };
  const { draw, ...options } = readNumbers(defaults, process.argv.slice(2));
  const runs = simulateAll(options);
  for (const { seed, learnt, learntLate, fixed } of runs) {
    console.log([seed, learnt, learntLate, fixed].map((figure) => Number(figure.toFixed(4))).join("  "));
  }
  if (draw > 0) await writeFile(join(import.meta.dirname, "../docs/ranking.svg"), drawRuns(runs));
  process.exitCode = printChecks("Simulated visitors", judgeRuns(runs));
}
