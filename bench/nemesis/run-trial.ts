import { createHash } from "node:crypto";
import { seededRandom } from "../../server/core/seeded-random.ts";
import type { Check } from "../checks.ts";
import type { Engine } from "../cluster/start-nodes.ts";
import { figureOf, type Trial, type TrialOptions } from "./trial.ts";

/** `failed`: it could not be tried to its end, which proves nothing and is no better than broken. */
export type Outcome = "holds" | "broken" | "skipped" | "failed";

export type Result = {
  id: string;
  promise: string;
  /** What this run had to reach, which a quick one has less of than a full one. */
  figure: string;
  engine: Engine;
  outcome: Outcome;
  seconds: number;
  checks: readonly Check[];
  /** Why it was skipped, or what ended it. */
  reason: string;
};

/** 1 where one is broken, or could not be tried; of those that somebody named, where one was skipped as well. */
export function exitCodeOf(
  results: readonly Pick<Result, "outcome">[],
  { only }: { only: readonly string[] | null },
): 0 | 1 {
  const isBad = ({ outcome }: Pick<Result, "outcome">): boolean =>
    outcome === "broken" || outcome === "failed" || (outcome === "skipped" && only !== null);
  return results.some(isBad) ? 1 : 0;
}

/** Runs one trial on one engine; whatever it throws is its result. */
export async function runTrial(
  { id, promise, figure: figures, run }: Trial,
  engine: Engine,
  options: Omit<TrialOptions, "random" | "engine"> & { seed: number },
): Promise<Result> {
  const from = performance.now();
  const figure = figureOf(figures, options.profile);
  const ended = (outcome: Outcome, checks: readonly Check[], reason = ""): Result => ({
    ...{ id, promise, figure, engine, outcome, checks, reason },
    seconds: Math.round((performance.now() - from) / 100) / 10,
  });
  try {
    const { seed, ...others } = options;
    const seen = await run({ ...others, engine, random: seededRandom(seedOf(seed, id)) });
    if ("skipped" in seen) return ended("skipped", [], seen.skipped);
    if (seen.length === 0) return ended("failed", [], "it checked nothing");
    return ended(seen.every(({ holds }) => holds) ? "holds" : "broken", seen);
  } catch (error) {
    return ended("failed", [], error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** Each trial draws numbers of its own, so that one that runs alone draws what it drew among the others. */
const seedOf = (seed: number, id: string): number =>
  createHash("sha256").update(`${seed} ${id}`).digest().readUInt32LE();
