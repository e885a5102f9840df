import { atLeast, atMost, type Check } from "./checks.ts";

/** What must be reached: `figure` is a key of the JSON that a run writes. */
export type Bar = { figure: string; claim: string } & ({ least: number } | { most: number });

/** Every bar, in the order of the rounds. A figure that a run did not take is not judged by it. */
export const bars: readonly Bar[] = [
  { figure: "paths.decision.ratio", claim: "decision, CPU ratio to bare Express", least: 0.5 },
  { figure: "paths.impression.ratio", claim: "impression, CPU ratio to bare Express", least: 0.5 },
  { figure: "paths.hop.ratio", claim: "hop, CPU ratio to bare Express", least: 0.45 },
  { figure: "paths.offers.ratio", claim: "offers, first answers, CPU ratio to bare Express", least: 0.35 },
  { figure: "paths.keyDecision.ratio", claim: "key decision, CPU ratio to bare Express", least: 0.5 },
  { figure: "slow-disk.impression.ratio", claim: "impression on the slow disk, CPU ratio", least: 0.4 },
  { figure: "slow-disk.hop.ratio", claim: "hop on the slow disk, CPU ratio", least: 0.4 },
  { figure: "mixed.p99", claim: "mixed open loop at half of capacity, p99 in ms", most: 15 },
  { figure: "mixed-slow-disk.p99", claim: "the same on the slow disk, p99 in ms", most: 25 },
  { figure: "mixed.refusedPerMille", claim: "calls turned away in it, of a thousand", most: 1 },
  {
    figure: "mixed-slow-disk.refusedPerMille",
    claim: "calls turned away in it on the slow disk, of a thousand",
    most: 1,
  },
  { figure: "overload.closedGoodput", claim: "goodput at four times the clients, of the peak", least: 0.8 },
  {
    figure: "overload.normalRefusedPerMille",
    claim: "calls turned away at half of the capacity, of a thousand",
    most: 1,
  },
  // Where the machine did something else while the capacity was measured, half as much again is no overload.
  { figure: "overload.openRefused", claim: "calls turned away at 1.5 times the capacity", least: 1 },
  { figure: "overload.openGoodput", claim: "goodput at 1.5 times the capacity, of the peak", least: 0.7 },
  { figure: "overload.acceptedP99Ratio", claim: "p99 of accepted ones then, of the normal p99", most: 3 },
  { figure: "overload.refusedP99", claim: "p99 of refusals, in ms", most: 50 },
  { figure: "overload.wrong", claim: "answers neither good nor 503", most: 0 },
  {
    figure: "overload.resentPerMille",
    claim: "calls sent again for a connection that was closed as they were sent, of a thousand",
    most: 1,
  },
  { figure: "overload.healthMissed", claim: "/healthz not answered 200 within a second", most: 0 },
  { figure: "overload.recoverySeconds", claim: "seconds until it is as before", most: 5 },
  { figure: "websites.cpuRatio", claim: "CPU of a decision at 50,000 websites, of that at one", most: 1.1 },
  { figure: "websites.50000.residentMb", claim: "resident memory with 50,000 websites, in MB", most: 400 },
  { figure: "offers.cpuRatio", claim: "CPU of offers with 3,000 eligible, of that with 30", most: 1.5 },
  { figure: "events.cpuRatio", claim: "CPU an event at 10 M stored events, of that at 1 M", most: 1.3 },
  { figure: "events.bytesAnEvent", claim: "bytes a stored event, all tables", most: 80 },
  { figure: "reports.oneWebsite", claim: "report of one website, 30 days, full key, in ms", most: 10 },
  { figure: "reports.allWebsites", claim: "report of all websites by country and vertical, in ms", most: 50 },
  {
    figure: "dashboards.cpuRatioUpper",
    claim: "a decision beside 50 dashboards and 20 reports, of one alone (upper end of 95 %)",
    most: 1.1,
  },
  {
    figure: "dashboards.overviewMs",
    claim: "answers of an overview of a year, 400 websites, in ms",
    most: 300,
  },
  {
    figure: "observed.cpuRatioUpper",
    claim: "a decision with scraped metrics and the log, of one without (upper end of 95 %)",
    most: 1.1,
  },
  { figure: "memory.atRestMb", claim: "resident memory at rest, in MB", most: 220 },
  { figure: "memory.afterAddressesMb", claim: "after 1 M decisions from 1 M addresses, in MB", most: 300 },
  {
    figure: "simulator.onePlace.learnt",
    claim: "learnt rates, one place, of the oracle's revenue, in %",
    least: 93,
  },
  { figure: "simulator.onePlace.late", claim: "the same over the last quarter, in %", least: 97 },
  {
    figure: "simulator.wholeAnswer.learnt",
    claim: "learnt rates, seven places, of the oracle's revenue, in %",
    least: 93,
  },
  { figure: "simulator.wholeAnswer.late", claim: "the same over the last quarter, in %", least: 97 },
  { figure: "fsync-held.failed", claim: "writes acknowledged before they were on disk", most: 0 },
];

/** The figures beside the bars that speak of them. */
export function judgeFigures(figures: Readonly<Record<string, number>>): Check[] {
  return bars.flatMap((bar) => {
    const seen = figures[bar.figure];
    if (seen === undefined) return [];
    const rounded = Number(seen.toFixed(3));
    return ["least" in bar ? atLeast(bar.claim, rounded, bar.least) : atMost(bar.claim, rounded, bar.most)];
  });
}
