import type { AllowlistCount } from "@offers/contract/dash/websites";
import { unknownCountry } from "@offers/contract/words";
import type { Website } from "./catalogue.ts";
import type { TagFacts } from "./tag-facts.ts";

/** What a website's settings tell of the health of its tag. */
export type SettingFacts = Named &
  Pick<TagFacts, "isPaused" | "isDevelopment" | "blocksSomebody" | "hasSupportContact">;
/** What its allowlist permits tells of it. */
export type OfferFacts = Pick<TagFacts, "offers" | "offersReachSomebody" | "placesWithoutOffer">;

type Named = Pick<TagFacts, "websiteKey" | "publicKey" | "origins">;
/** A website as its settings stand. */
export type SetWebsite = Named & Pick<Website, "geoRule" | "paused" | "development" | "settings">;

/** What its settings tell of it, and which website it is. */
export function settingFacts(website: SetWebsite): SettingFacts {
  const { websiteKey, publicKey, origins, geoRule, paused, development, settings } = website;
  const { mode, entries, unknownLocation } = geoRule;
  return {
    ...{ websiteKey, publicKey, origins },
    isPaused: paused,
    isDevelopment: development,
    blocksSomebody: mode === "allowlist" || entries.length > 0 || unknownLocation === "block",
    hasSupportContact: settings.supportContact !== null,
  };
}

/** What the offers tell of it that its allowlist permits. */
export function offerFacts(
  { geoRule: { mode } }: Pick<Website, "geoRule">,
  { active, permitted, places }: AllowlistCount,
): OfferFacts {
  const named = places.filter(({ place }) => place !== "*" && place !== unknownCountry);
  return {
    offers: { active, permitted },
    offersReachSomebody: places.some(({ offers }) => offers > 0),
    // Where a rule names those that see the page, the others are too many to be told one by one.
    placesWithoutOffer:
      mode === "blocklist" ? named.filter(({ offers }) => offers === 0).map(({ place }) => place) : [],
  };
}
