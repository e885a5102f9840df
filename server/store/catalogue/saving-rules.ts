import { checkRegisteredOrigin } from "../../core/origin.ts";
import { oftenMistaken, type PlaceRules } from "../../core/place-problem.ts";
import type { InputProblem } from "./catalogue-refusal.ts";

/** What has to be known to check a saved value, and that the store itself cannot know. */
export type SavingRules = PlaceRules & {
  /** Whether anybody may register names below this host: `com`, `co.uk`, `github.io`. */
  isPublicSuffix: (host: string) => boolean;
  /** Why the location data can never yield this country or region, `DE` or `US-NJ`; null when it can. */
  neverLocated: (entry: string) => string | null;
  /** Production refuses what only a machine of a developer needs, such as http landing pages. */
  production: boolean;
};

/** Every origin of `origins` that must not be saved, with the reason. */
export function originProblems(origins: readonly string[], rules: SavingRules): InputProblem[] {
  return origins.flatMap((text) => {
    const verdict = checkRegisteredOrigin(text, rules.isPublicSuffix);
    return verdict.ok
      ? []
      : [{ field: "origins", message: `${verdict.message} (given: ${JSON.stringify(text)})` }];
  });
}

/**
 * Every entry of a geo rule or coverage that is no country and no region of ISO 3166, or where nobody is ever located;
 * `*` passes. What was saved before may stay when other data has come since, and knows less.
 */
export function geoProblems(
  field: string,
  entries: readonly string[],
  rules: SavingRules,
  before: readonly string[] = [],
): InputProblem[] {
  return entries
    .filter((entry) => entry !== "*")
    .flatMap((entry) => {
      const country = entry.slice(0, 2);
      const instead = oftenMistaken.get(country);
      if (instead) return [{ field, message: `${country} is no ISO 3166-1 country: write ${instead}` }];
      if (!rules.isCountry(country)) return [{ field, message: `${country} is no ISO 3166-1 country` }];
      if (entry !== country && !rules.isRegion(entry)) {
        return [{ field, message: `${entry} is no ISO 3166-2 region of ${country}` }];
      }
      const never = before.includes(entry) ? null : rules.neverLocated(entry);
      return never === null ? [] : [{ field, message: `${entry} can never match: ${never}` }];
    });
}

/** The list without its repetitions, in its order. */
export function withoutRepeats<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
