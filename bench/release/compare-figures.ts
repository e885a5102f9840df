import { type Bar, bars } from "../bars.ts";
import { atLeast, atMost, type Check, equal } from "../checks.ts";

/** What of the JSON that `npm run bench -- --json` writes is read here. */
export type BenchRun = {
  figures: Readonly<Record<string, number>>;
  options: Readonly<Record<string, unknown>>;
  checks: readonly Check[];
};

/**
 * Figures that set two things of one run beside each other. Milliseconds and megabytes drift with the machine and the hour;
 * they have the bars of bench, and are compared with nothing. So has the goodput of the open loop, which on two cores was
 * 0.71 in one run and 0.96 in another of the same program.
 */
const ofOneRun: readonly string[] = [
  ...["decision", "impression", "hop", "offers", "keyDecision"].map((path) => `paths.${path}.ratio`),
  ...["slow-disk.impression.ratio", "slow-disk.hop.ratio"],
  "overload.closedGoodput",
  ...["websites.cpuRatio", "offers.cpuRatio", "events.cpuRatio", "events.bytesAnEvent"],
  ...["dashboards.cpuRatioUpper", "observed.cpuRatioUpper"],
  ...["onePlace", "wholeAnswer"].flatMap((name) => [`simulator.${name}.learnt`, `simulator.${name}.late`]),
];

/** The bars of those figures. */
export const comparedBars: readonly Bar[] = bars.filter(({ figure }) => ofOneRun.includes(figure));

/** By how much a figure may be worse before it is a finding: bench/README.md, "How to read noise". */
const toleranceShare = 0.15;

/** A bar that the baseline missed may be missed by so many times its figure: milliseconds drift by more than half, not by more. */
const mostTimes = 2;

/**
 * Whether a run is as good as the baseline, figure by figure. A bar that the baseline missed may still be missed, within
 * bounds; every other has to be reached, and that nothing was answered wrongly is one of them. The bar of a figure
 * that is compared may be missed by as much as is noise: else a baseline at its edge would fail every second release.
 * What the baseline judged the run has to judge as well: a round that was skipped, or a bar that is gone, shows nothing.
 */
export function compareFigures(baseline: BenchRun, run: BenchRun): Check[] {
  const [asked, before] = [run, baseline].map(({ options: { wrong: _, ...options } }) =>
    JSON.stringify(options),
  );
  const measured = comparedBars.filter(({ figure }) => baseline.figures[figure] !== undefined);
  const missedBefore = baseline.checks.flatMap(({ claim, holds }) => (holds ? [] : [claim]));
  const excused = bars.filter(
    (bar) =>
      !measured.includes(bar) &&
      missedBefore.includes(bar.claim) &&
      baseline.figures[bar.figure] !== undefined,
  );
  const mayBeMissed = [...excused, ...measured].map(({ claim }) => claim);
  const judged = run.checks.map(({ claim }) => claim);
  const missed = run.checks.filter(({ claim, holds }) => !holds && !mayBeMissed.includes(claim));
  return [
    equal("options of bench, as at the baseline", asked ?? "", before ?? ""),
    equal(
      "bars missed that the baseline did not miss",
      missed.map(({ claim, seen }) => `${claim}: ${seen}`).join("; "),
      "",
    ),
    equal(
      "bars of the baseline that were not judged",
      baseline.checks.flatMap(({ claim }) => (judged.includes(claim) ? [] : [claim])).join("; "),
      "",
    ),
    ...measured.map((bar) => compareOne(bar, [baseline, run], 1 - toleranceShare, 1 + toleranceShare)),
    ...excused.map((bar) => compareOne(bar, [baseline, run], 1 / mostTimes, mostTimes)),
  ];
}

const compareOne = (
  bar: Bar,
  [baseline, run]: readonly [BenchRun, BenchRun],
  leastShare: number,
  mostShare: number,
): Check => {
  const [before = 0, seen] = [baseline.figures[bar.figure], run.figures[bar.figure]];
  const claim = `${bar.claim}, ${before.toFixed(2)} at the baseline`;
  if (seen === undefined) return { claim, holds: false, seen: "not measured" };
  const rounded = Number(seen.toFixed(3));
  return "least" in bar
    ? atLeast(claim, rounded, Number((before * leastShare).toFixed(3)))
    : atMost(claim, rounded, Number((before * mostShare).toFixed(3)));
};
