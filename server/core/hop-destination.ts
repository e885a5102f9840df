import type { Offer, Website } from "./catalogue.ts";
import { checkLandingUrl, fillLandingUrl, type LandingMacro } from "./landing-url.ts";
import { isSuppressed, type Suppression } from "./suppression.ts";

/** Where a click leads: to the advertiser, to the publisher's own page, or to a small page of the service. */
export type HopDestination =
  | { kind: "landing"; url: string }
  | { kind: "fallback"; url: string }
  | { kind: "page" };

/**
 * Finds where a click on an offer leads, never to another brand. The landing URL is the offer's of this moment and
 * is checked once more: one that may not stand (any more) closes the offer as a pause does. So does a suppression: an
 * offer that has become one of a casino must not be where a self-excluded visitor arrives.
 * @param args.values filled into the macros of the landing URL.
 */
export function hopDestination(args: {
  offer: Offer;
  website: Website;
  production: boolean;
  suppression?: Suppression | undefined;
  values: Record<LandingMacro, string>;
}): HopDestination {
  const { offer, website, production, suppression, values } = args;
  if (offer.status === "active" && !isSuppressed(suppression, offer.vertical)) {
    const stored = checkLandingUrl(offer.landingUrl, { production });
    if (stored.ok) return { kind: "landing", url: fillLandingUrl(stored.url, values) };
  }
  const fallback = website.settings.fallbackUrl && URL.parse(website.settings.fallbackUrl);
  return fallback ? { kind: "fallback", url: fallback.href } : { kind: "page" };
}
