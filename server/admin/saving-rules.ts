import { parse } from "tldts";
import { isCountry, isRegion } from "../geo/iso-codes.ts";
import type { SavingRules } from "../store/catalogue/saving-rules.ts";

/** The rules of saving with the public suffix list and the lists of ISO 3166 behind them. */
export function savingRules(production: boolean): SavingRules {
  return {
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
