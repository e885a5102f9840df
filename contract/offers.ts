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
  vertical: z.string().describe("The line of business that it belongs to, such as `mobile`."),
  brand: z.string().describe("Whose offer it is."),
  title: z.string().describe("Its heading."),
  description: z
    .string()
    .describe('The text below its heading, which sections cut and small bars leave out; `""`: none.'),
  ctaText: z.string().describe('The words of its link; `""`: the widget uses its own.'),
  imageUrl: z.string().nullable().describe("Address of its picture; null: none."),
  url: z.url().describe("The tracking URL on this service; it knows the destination, the browser does not."),
  placement: z.enum(placements).describe("Where in the answer, and so on the screen, it stands."),
  position: z.int().describe("From 1, within the placement."),
  disclosure: z
    .string()
    .describe(
      'What the law asks for beside the offer, always shown: that it is paid for, risk warnings, representative examples; `""`: it is not said.',
    ),
  terms: z.string().describe('The small print; `""`: none.'),
  lang: z.string().describe('The language tag of its texts; `""`: it is not said.'),
  langOf: z
    .partialRecord(z.enum(offerTexts), z.string())
    .describe("The language tags of those of its texts that are in another language, where there are any.")
    .optional(),
});
export type ServedOffer = z.infer<typeof servedOffer>;

export const offersAnswer = z.object({
  requestId,
  ...location.shape,
  premium: z
    .array(servedOffer)
    .max(offerSlots.premium)
    .describe("The one that stands out, where there is one."),
  standard: z
    .array(servedOffer)
    .max(offerSlots.standardMost)
    .describe("The others, the most promising first."),
  emptyReason: openWord(emptyReasons).nullable().describe("Why there is no offer; null: there are some."),
});
export type OffersAnswer = z.infer<typeof offersAnswer>;
