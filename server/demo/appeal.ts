import type { Surface } from "@offers/contract/words";
import type { Offer, Website } from "../core/catalogue.ts";
import type { RatedPlacement } from "../core/click-rates.ts";
import { stableHash } from "../core/stable-hash.ts";

type Standing = { offer: Pick<Offer, "id" | "vertical">; placement: RatedPlacement; position: number };

/** Of those who see an offer of the vertical so many follow it. */
const usualRate = 0.032;
const rateOfVertical: Readonly<Record<string, number>> = {
  energy: 0.036,
  mobile: 0.041,
  insurance: 0.027,
  home: 0.034,
  banking: 0.031,
  loans: 0.046,
  trading: 0.023,
  travel: 0.049,
  food: 0.051,
  education: 0.032,
  fitness: 0.028,
};

const factorOfSurface: Readonly<Record<Surface, number>> = { overlay: 1, section: 0.6, decline: 1.35 };

/** How likely a visitor who sees the offer there is to follow it, 0.01 to 0.06. */
export function demoClickRate(
  { offer, placement, position }: Standing,
  { key }: Pick<Website, "key">,
  surface: Surface,
): number {
  const ofPlace = placement === "premium" ? 1.3 : 1 - 0.05 * (position - 1);
  // Offers differ, and so do the readers of two websites.
  const ofOffer = 0.65 + 0.8 * share(offer.id);
  const ofWebsite = 0.85 + 0.3 * share(key);
  const rate = (rateOfVertical[offer.vertical] ?? usualRate) * ofPlace * ofOffer * ofWebsite;
  return Math.min(0.06, Math.max(0.01, rate * factorOfSurface[surface]));
}

/** How likely an offer that was drawn there is to be looked at for a second, 0 to 1. */
export function demoSightRate({ placement, position }: Standing, surface: Surface): number {
  const inOverlay = placement === "premium" ? 0.78 : (seenAt[position - 1] ?? 0.1);
  return surface === "section" ? inOverlay * 0.55 : inOverlay;
}

const seenAt = [0.62, 0.5, 0.36, 0.24, 0.16, 0.11] as const;

const share = (text: string): number => stableHash(text) / 2 ** 32;
