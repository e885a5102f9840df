import { z } from "zod";
import { offerId, requestId, websiteKey } from "./ids.ts";
import { languageWishes } from "./locales.ts";
import { countryCode, location, regionCode } from "./location.ts";
import { openWord } from "./open-word.ts";
import { emptyReasons, offerSlots, offerTexts, placements } from "./words.ts";

/** Query of GET /v1/offers for the embed. */
export const offersQuery = z.object({
  website: websiteKey,
  requestId,
  country: countryCode,
  region: regionCode.optional(),
  /** How many standard offers at the most. */
  limit: z
    .string()
    .regex(/^[1-9][0-9]?$/, `must be a whole number from 1 to ${offerSlots.standardMost}`)
    .transform(Number)
    .pipe(z.int().max(offerSlots.standardMost, `must be at most ${offerSlots.standardMost}`))
    .optional(),
  lang: languageWishes,
});
export type OffersQuery = z.infer<typeof offersQuery>;

/** An offer as a browser may see it: never a payout, a cap or a budget. */
export const servedOffer = z.object({
  id: offerId,
  vertical: z.string(),
  brand: z.string(),
  title: z.string(),
  description: z.string(),
  ctaText: z.string(),
  imageUrl: z.string().nullable(),
  /** The tracking URL on this service; it knows the destination, the browser does not. */
  url: z.url(),
  placement: z.enum(placements),
  /** From 1, within the placement. */
  position: z.int(),
  disclosure: z.string(),
  terms: z.string(),
  /** The language tag of its texts; `""`: it is not said. */
  lang: z.string(),
  /** Those of its texts that are in another language, where there are any. */
  langOf: z.partialRecord(z.enum(offerTexts), z.string()).optional(),
});
export type ServedOffer = z.infer<typeof servedOffer>;

export const offersAnswer = z.object({
  requestId,
  ...location.shape,
  premium: z.array(servedOffer).max(offerSlots.premium),
  standard: z.array(servedOffer).max(offerSlots.standardMost),
  emptyReason: openWord(emptyReasons).nullable(),
});
export type OffersAnswer = z.infer<typeof offersAnswer>;
