import type { Engine } from "../cluster/start-nodes.ts";
import { doorTrials } from "./door-trials.ts";
import { serviceTrials } from "./service-trials.ts";
import { storeTrials } from "./store-trials.ts";
import { testedTrials } from "./tested-trials.ts";
import type { Profile, Trial } from "./trial.ts";

/** Everything that is tried, in the order in which it runs. */
export const trials: readonly Trial[] = [...storeTrials, ...serviceTrials, ...doorTrials, ...testedTrials];

/**
 * Those of a profile; or those whose id is named, or begins with a name and a dot: `P5` is all of `P5.…`. Those that are named
 * are tried quickly as well, though a quick run leaves them out.
 */
export function chooseTrials(
  all: readonly Trial[],
  profile: Profile,
  only: readonly string[] | null,
): readonly Trial[] {
  if (only === null) return all.filter(({ profiles }) => profiles.includes(profile));
  const isNamed = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`);
  const unknown = only.find((name) => !all.some(({ id }) => isNamed(id, name)));
  if (unknown !== undefined) {
    throw new Error(`--only ${unknown}: expected some of ${all.map(({ id }) => id).join(", ")}`);
  }
  const usual: Profile = profile === "quick" ? "full" : profile;
  for (const name of only) {
    const named = all.filter(({ id }) => isNamed(id, name));
    if (named.some(({ profiles }) => profiles.includes(usual))) continue;
    throw new Error(`--only ${name}: runs ${usual === "soak" ? "without" : "with"} --soak alone`);
  }
  return all.filter(({ id, profiles }) => profiles.includes(usual) && only.some((name) => isNamed(id, name)));
}

/** Throws where none of them runs on any of the engines: a run that tries nothing finds nothing broken. */
export function requireEngines(chosen: readonly Trial[], { engines }: { engines: readonly Engine[] }): void {
  if (chosen.some((trial) => trial.engines.some((one) => engines.includes(one)))) return;
  const ids = chosen.map(({ id }) => id).join(", ");
  throw new Error(
    `--engine ${engines.join()}: ${ids} runs on ${[...new Set(chosen.flatMap((one) => one.engines))].join()} alone`,
  );
}
