import type { Offer } from "./catalogue.ts";

/** What of an offer visitors see before they click, and where a click takes them. */
const lookMembers = [
  "brand",
  "title",
  "description",
  "ctaText",
  "imageUrl",
  "locales",
  "landingUrl",
] as const satisfies readonly (keyof Offer)[];

type Look = Pick<Offer, (typeof lookMembers)[number]>;

/** Whether an offer shows visitors something else than it did, which its click rate was learnt of. */
export function looksOtherwise(before: Look, after: Look): boolean {
  return lookMembers.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
