import { parse } from "tldts";
import { neverLocated } from "./core/never-located.ts";
import { isCountry, isRegion } from "./geo/iso-codes.ts";
import type { SavingRules } from "./store/catalogue/saving-rules.ts";

/**
 * The rules of saving with the public suffix list, the lists of ISO 3166 and the location data behind them.
 * @param everywhere every country and region that the location data can yield; null: not to be asked.
 */
export function savingRules(production: boolean, everywhere: () => ReadonlySet<string> | null): SavingRules {
  let known: ReadonlySet<string> | null | undefined;
  return {
    neverLocated: (entry) => {
      // Reading all places takes a tenth of a second, and most commands save none.
      known = known === undefined ? everywhere() : known;
      return known && neverLocated(entry, known);
    },
    isPublicSuffix,
    isCountry,
    isRegion,
    production,
  };
}

/** Private suffixes such as `github.io` count: whoever registers a name there is a stranger to the next one. */
const isPublicSuffix = (host: string): boolean => {
  const { hostname, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return hostname !== null && hostname === publicSuffix && (isIcann === true || isPrivate === true);
};
