import type { AllowlistCount } from "@offers/contract/dash/websites";
import { unknownCountry } from "@offers/contract/words";
import type { Website } from "./catalogue.ts";
import type { TagFacts } from "./tag-health.ts";

type FactNames =
  | "isPaused"
  | "isDevelopment"
  | "blocksSomebody"
  | "hasSupportContact"
  | "offers"
  | "offersReachSomebody"
  | "placesWithoutOffer";

/** What a website's settings, and what its allowlist permits, tell of the health of its tag. */
export function websiteFacts(
  {
    geoRule,
    paused,
    development,
    settings,
  }: Pick<Website, "geoRule" | "paused" | "development" | "settings">,
  { active, permitted, places }: AllowlistCount,
): Pick<TagFacts, FactNames> {
  const { mode, entries, unknownLocation } = geoRule;
  const named = places.filter(({ place }) => place !== "*" && place !== unknownCountry);
  return {
    isPaused: paused,
    isDevelopment: development,
    blocksSomebody: mode === "allowlist" || entries.length > 0 || unknownLocation === "block",
    hasSupportContact: settings.supportContact !== null,
    offers: { active, permitted },
    offersReachSomebody: places.some(({ offers }) => offers > 0),
    // Where a rule names those that see the page, the others are too many to be told one by one.
    placesWithoutOffer:
      mode === "blocklist" ? named.filter(({ offers }) => offers === 0).map(({ place }) => place) : [],
  };
}
