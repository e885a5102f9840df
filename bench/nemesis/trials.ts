import { doorTrials } from "./door-trials.ts";
import { serviceTrials } from "./service-trials.ts";
import { storeTrials } from "./store-trials.ts";
import type { Profile, Trial } from "./trial.ts";

/** Everything that is tried, in the order in which it runs. */
export const trials: readonly Trial[] = [...storeTrials, ...serviceTrials, ...doorTrials];

/** Those of a profile whose id is named, or begins with a name and a dot: `P5` is all of `P5.…`. */
export function chooseTrials(
  all: readonly Trial[],
  profile: Profile,
  only: readonly string[] | null,
): readonly Trial[] {
  const isNamed = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`);
  const unknown = only?.find((name) => !all.some(({ id }) => isNamed(id, name)));
  if (unknown !== undefined) {
    throw new Error(`--only ${unknown}: expected some of ${all.map(({ id }) => id).join(", ")}`);
  }
  return all.filter(
    ({ id, profiles }) =>
      profiles.includes(profile) && (only === null || only.some((name) => isNamed(id, name))),
  );
}
