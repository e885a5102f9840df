import type { Check } from "../checks.ts";
import type { Engine } from "../cluster/start-nodes.ts";

/** `quick` before a push, `full` before a release, `soak` for an hour by itself. What is quick is in the full run as well. */
export type Profile = "quick" | "full" | "soak";

/** What one run of a trial is given. */
export type TrialOptions = {
  engine: Engine;
  profile: Profile;
  /** Numbers of this trial's own, the same for the same seed whatever ran before it. */
  random: () => number;
  /** Of a soak. */
  minutes: number;
  /** Prints a line under the trial's name. */
  say: (line: string) => void;
};

/** What the trial needs is not on this machine. */
export type Skipped = { skipped: string };

export type Figure = string | Readonly<Record<"quick" | "full", string>>;

/** What a run of this profile has to reach. */
export function figureOf(figure: Figure, profile: Profile): string {
  return typeof figure === "string" ? figure : figure[profile === "quick" ? "quick" : "full"];
}

/** Tries to break one promise. */
export type Trial = {
  /** The promise's number, and what is done to it: `P5.full-disk`. */
  id: string;
  /** What is promised, in one sentence. */
  promise: string;
  engines: readonly Engine[];
  profiles: readonly Profile[];
  /** What it has to reach: one text where every run is the same, else what each of them tries. */
  figure: Figure;
  run: (options: TrialOptions) => Promise<readonly Check[] | Skipped>;
  mutants: readonly Mutant[];
};

/** The program with the promise broken on purpose: the trial has to see it. */
export type Mutant = {
  /** What is wrong with it, in a few words. */
  name: string;
  edits: readonly Edit[];
  /** How the claim begins that must not hold then. That another one fails as well is fine; that this one holds is not. */
  breaks: string;
  /** Where it is broken on one engine alone. */
  engines?: readonly Engine[];
  /** Where the quick run is too short to show it. */
  profile?: Profile;
};

/** A mutant whose trial says which of its claims it breaks. */
export type Broken = Omit<Mutant, "breaks">;

/** `old` stands in the file exactly once. */
export type Edit = { file: string; old: string; new: string };
