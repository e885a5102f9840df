import { parseArgs } from "node:util";
import type { Engine } from "../cluster/start-nodes.ts";
import type { Profile } from "./trial.ts";

export type Command = {
  profile: Profile;
  engines: readonly Engine[];
  /** Null: all. */
  only: readonly string[] | null;
  seed: number;
  json: string | null;
  mutants: boolean;
  minutes: number;
};

export const usage = `npm run nemesis -- [--full | --soak [--minutes 60]] [--engine sqlite|postgres|both] [--only P1,P4.race]
  [--seed N] [--json FILE] [--mutants]`;

/** What was asked for. A seed that nobody named is drawn. */
export function readCommand(words: readonly string[], drawSeed: () => number): Command {
  const { values } = parseArgs({
    args: [...words],
    options: {
      full: { type: "boolean", default: false },
      soak: { type: "boolean", default: false },
      minutes: { type: "string", default: "60" },
      engine: { type: "string", default: "both" },
      only: { type: "string" },
      seed: { type: "string" },
      json: { type: "string" },
      mutants: { type: "boolean", default: false },
    },
  });
  if (values.full && values.soak) throw new Error("--full and --soak are two runs");
  return {
    profile: values.soak ? "soak" : values.full ? "full" : "quick",
    engines: readEngines(values.engine),
    only: values.only?.split(",") ?? null,
    seed: values.seed === undefined ? drawSeed() : wholeNumber("--seed", values.seed),
    json: values.json ?? null,
    mutants: values.mutants,
    minutes: wholeNumber("--minutes", values.minutes),
  };
}

/** What runs one trial again as it ran. */
export function commandOf({ profile, seed, minutes }: Command, id: string, engine: Engine): string {
  const soak = profile === "soak" ? ` --soak --minutes ${minutes}` : "";
  const full = profile === "full" ? " --full" : "";
  return `npm run nemesis --${full}${soak} --engine ${engine} --only ${id} --seed ${seed}`;
}

const readEngines = (text: string): readonly Engine[] => {
  if (text === "both") return ["sqlite", "postgres"];
  if (text === "sqlite" || text === "postgres") return [text];
  throw new Error("--engine: expected sqlite, postgres or both");
};

const wholeNumber = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name}: expected a whole number`);
  return Number(text);
};
