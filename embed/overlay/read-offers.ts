import type { ServedOffer } from "@offers/contract/offers";
import { type OfferText, offerSlots } from "@offers/contract/words";
import { members, texts } from "./json-shape.ts";
import { hopUrl, imageUrl } from "./safe-url.ts";

/** An offer that can be drawn: `url` leads to the service, `imageUrl` is safe to load or null. */
export type Offer = Omit<ServedOffer, "id" | "vertical" | "langOf"> & {
  id: string;
  /** The language tags of those texts that are in another language than the title; `""`: as the title. */
  langOf: Record<Exclude<OfferText, "title">, string>;
};

/** In the order in which they are shown, the premium one first. */
export type Offers = readonly Offer[];

/**
 * Reads any JSON value. An offer that cannot be drawn is left out; null when the value is no offers answer,
 * or when none of the offers in it can be drawn.
 */
export function readOffers(answer: unknown, base: string): Offers | null {
  const { premium, standard } = members(answer);
  if (!Array.isArray(premium) || !Array.isArray(standard)) return null;
  const offers = [
    ...readGroup(premium, "premium", base).slice(0, offerSlots.premium),
    ...readGroup(standard, "standard", base).slice(0, offerSlots.standardMost),
  ];
  if (offers.length === 0 && premium.length + standard.length > 0) return null;
  // Spread, since some pages have an `Array.from` of their own, which knows no iterators.
  return [...new Map(offers.map((offer) => [offer.id, offer])).values()];
}

/** Placement and position are the group and the place in it, whatever an offer says of itself. */
function readGroup(group: readonly unknown[], placement: Offer["placement"], base: string): Offer[] {
  return group.flatMap((value, index) => {
    const offer = texts(
      value,
      "id",
      "title",
      "brand",
      "description",
      "ctaText",
      "disclosure",
      "terms",
      "lang",
    );
    const links = texts(value, "url", "imageUrl");
    const langOf = texts(members(value).langOf, "description", "ctaText", "disclosure", "terms");
    const url = hopUrl(links.url, base);
    if (!offer.id || !offer.title || !url) return [];
    return {
      ...offer,
      langOf,
      url,
      imageUrl: imageUrl(links.imageUrl, base),
      placement,
      position: index + 1,
    };
  });
}
