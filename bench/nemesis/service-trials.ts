import { postgresClocks } from "../postgres-clocks.ts";
import { postgresFailover } from "../postgres-failover.ts";
import { postgresLimits } from "../postgres-limits.ts";
import { postgresOutage } from "../postgres-outage.ts";
import { postgresPaused } from "../postgres-paused.ts";
import { smallOutages, smallSizes, wholeOutages, wholeSizes } from "../promise-sizes.ts";
import { rotation } from "../rotation.ts";
import { stopping } from "../stopping.ts";
import { clockSteps } from "./clock-steps.ts";
import { overload } from "./overload.ts";
import {
  countsByTheClockOnTheWall,
  countsDaysInAnotherZone,
  countsLimitsApart,
  countsWholeAddresses,
  goesByItsOwnClock,
  ignoresCancelledWaits,
  keepsNothingOnItsDisk,
  knowsOneSecret,
  leavesWithoutDraining,
  losesHalfOfItsDisk,
  neverSheds,
  remembersCalls,
  waitsForWhoStands,
  writesUnfenced,
} from "./service-mutants.ts";
import { soak } from "./soak.ts";
import type { Trial, TrialOptions } from "./trial.ts";

const outagesOf = ({ profile }: TrialOptions) => (profile === "quick" ? smallOutages : wholeOutages);

/** What goes on while something around the service is gone, wrong or too much. */
export const serviceTrials: readonly Trial[] = [
  {
    id: "P15.shared",
    promise: "All nodes count a visitor's calls together, and no call waits for the count.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "400 calls to four nodes: admitted ≤ limit + one a node, and no call takes 1 s without the database",
      quick:
        "200 calls to four nodes: admitted ≤ limit + one a node, and no call takes 3 s without the database",
    },
    run: (options) => postgresLimits(outagesOf(options).limits),
    mutants: [
      { ...countsLimitsApart, breaks: "… and not more than the limit and one a node" },
      { ...countsWholeAddresses, breaks: "… and not more than the limit and one a node" },
    ],
  },
  {
    id: "P17.outage",
    promise:
      "Without a database visitors are served, writes refused honestly, and visits counted afterwards.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "30 s at 500 decisions/s, and five minutes at 2,000: 0 lost, recorded in 5 s, or 5,000 a second",
      quick: "10 s at 100 decisions/s: 0 lost, recorded in 5 s",
    },
    run: async (options) => {
      const { outages } = outagesOf(options);
      const checks = [];
      for (const outage of outages) checks.push(...(await postgresOutage(outage)));
      return checks;
    },
    mutants: [
      { ...keepsNothingOnItsDisk, profile: "quick", breaks: "of these lost" },
      { ...losesHalfOfItsDisk, profile: "quick", breaks: "kept visits that are lost" },
    ],
  },
  {
    id: "P17.failover",
    promise: "Nothing that was acknowledged is lost with the primary, where commits wait for a standby.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "16 visitors at a time: 0 lost, back in 3 s; a wait that is cancelled is no acknowledgement",
      quick: "8 visitors at a time: 0 lost, back in 10 s; a wait that is cancelled is no acknowledgement",
    },
    run: (options) => postgresFailover(outagesOf(options).failover),
    mutants: [{ ...ignoresCancelledWaits, breaks: "… of whose impressions acknowledged" }],
  },
  {
    id: "P17.paused",
    promise: "A node that stands still holds up nobody, and writes nothing once its place was taken.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "three pauses of 10 s: the others bill after 4 s, 0 lost, 0 doubled, 0 written under the old epoch",
      quick: "one pause of 6 s: the others bill after 4 s, 0 lost, 0 doubled, 0 written under the old epoch",
    },
    run: (options) => postgresPaused(outagesOf(options).paused),
    mutants: [
      { ...writesUnfenced, breaks: "batches that it wrote under its old epoch" },
      { ...waitsForWhoStands, breaks: "clicks of the others billed" },
    ],
  },
  {
    id: "P18.overload",
    promise: "Too many calls are turned away at once, and the others answered as before.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure:
      "goodput ≥ 80 % at four times the clients and ≥ 70 % at 1.5 times the capacity, refusals p99 50 ms, /healthz always 200, back in 5 s",
    run: overload,
    mutants: [
      // Its journal is full at last and refuses by itself, late.
      { ...neverSheds, engines: ["sqlite"], breaks: "p99 of accepted ones, in ms" },
      { ...neverSheds, engines: ["postgres"], breaks: "calls turned away at 1.5 times the capacity" },
    ],
  },
  {
    id: "P19.stop",
    promise: "A service that is asked to stop answers every request that it took.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: {
      full: "10 stops in load: 0 reset, 0 lost, 0 told to come again, exit 0 within 6 s",
      quick: "one stop in load: 0 reset, 0 lost, a quarter told to come again, exit 0 within 15 s",
    },
    run: ({ engine, profile }) =>
      stopping({
        ...(profile === "quick" ? smallSizes.stopping : { ...wholeSizes.stopping, stops: 10 }),
        engine,
      }),
    mutants: [{ ...leavesWithoutDraining, breaks: "requests that a stop left without an answer" }],
  },
  {
    id: "P22.rotation",
    promise: "Every secret is replaced under load without a lost call, and the old one opens nothing more.",
    engines: ["sqlite", "postgres"],
    profiles: ["full"],
    figure: "0 calls fail, the old one is refused by both nodes within 5 s",
    run: ({ engine }) => rotation({ engine, settleMs: 1000 }),
    mutants: [{ ...knowsOneSecret, breaks: "TOKEN_SECRET: calls that failed meanwhile" }],
  },
  {
    id: "P30.nodes",
    promise: "Nodes whose clocks are wrong judge and date by the server's.",
    engines: ["postgres"],
    profiles: ["full"],
    figure: {
      full: "± 20 s: every verdict the server's, and every stored moment within 250 ms",
      quick: "± 20 s: every verdict the server's, and every stored moment within 1 s",
    },
    run: (options) => postgresClocks(outagesOf(options).clocks),
    mutants: [{ ...goesByItsOwnClock, breaks: "clicks that came too early" }],
  },
  {
    id: "P30.steps",
    promise: "A clock that steps by an hour, and midnight, open no day's budget twice and no limit early.",
    engines: ["sqlite"],
    profiles: ["full"],
    figure: {
      full: "± 1 h and midnight: each day billed once to its cap, and a limit is open again after its minute",
      quick: "± 1 h and midnight: each day billed once to its cap, and no limit opened early",
    },
    run: ({ profile }) => clockSteps({ cap: 20, clicks: 60, waitsForLimit: profile === "full" }),
    mutants: [
      { ...countsDaysInAnotherZone, breaks: "billed at half past ten" },
      { ...countsByTheClockOnTheWall, breaks: "… and the clock is put forward" },
    ],
  },
  {
    id: "P32.soak",
    promise: "After an hour it takes no more memory, descriptors or time than after ten minutes.",
    engines: ["sqlite", "postgres"],
    profiles: ["soak"],
    figure:
      "a third of the capacity: memory ≤ 1.05 of that after the first sixth (an hour cannot tell 1 MB/h from chance), p99 ≤ 1.2, descriptors as before, log ≤ 64 MiB, books add up",
    run: soak,
    mutants: [{ ...remembersCalls, profile: "soak", breaks: "memory in the last part" }],
  },
];
