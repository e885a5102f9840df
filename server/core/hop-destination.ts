import type { Offer, Website } from "./catalogue.ts";
import { checkLandingUrl, type LandingMacro, prepareLandingUrl } from "./landing-url.ts";
import { isSuppressed, type Suppression } from "./suppression.ts";

/** Where a click leads: to the advertiser, to the publisher's own page, or to a small page of the service. */
export type HopDestination =
  | { kind: "landing"; url: string }
  | { kind: "fallback"; url: string }
  | { kind: "page" };

type Click = {
  offer: Offer;
  website: Website;
  suppression?: Suppression | undefined;
  /** Filled into the macros of the landing URL. */
  values: Record<LandingMacro, string>;
};

/**
 * Prepares to find where clicks lead, never to another brand. The landing URL is the offer's of this moment. It is
 * checked once more, at the first click on that version of the offer: one that may not stand (any more) closes the
 * offer as a pause does. So does a suppression: an offer that has become one of a casino must not be where a
 * self-excluded visitor arrives.
 */
export function createHopDestinations(args: { production: boolean }): (click: Click) => HopDestination {
  /** By the offer, of which each version is another object; null: its landing URL may not stand. */
  const landings = new WeakMap<Offer, ReturnType<typeof prepareLandingUrl> | null>();

  const landingOf = (offer: Offer) => {
    const known = landings.get(offer);
    if (known !== undefined) return known;
    const stored = checkLandingUrl(offer.landingUrl, args);
    const landing = stored.ok ? prepareLandingUrl(stored.url) : null;
    landings.set(offer, landing);
    return landing;
  };

  return ({ offer, website, suppression, values }) => {
    if (offer.status === "active" && !isSuppressed(suppression, offer.vertical)) {
      const landing = landingOf(offer);
      if (landing !== null) return { kind: "landing", url: landing(values) };
    }
    const fallback = website.settings.fallbackUrl && URL.parse(website.settings.fallbackUrl);
    return fallback ? { kind: "fallback", url: fallback.href } : { kind: "page" };
  };
}
