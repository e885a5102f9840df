import { z } from "zod";
import { mostTagLength, spelledTag } from "./language-tag.ts";
import { filledLine, line } from "./text.ts";
import type { OfferText } from "./words.ts";

/**
 * Parameter of a call for offers: language tags, the most wanted first, with commas or spaces between them. Anything may
 * stand in it, since pages say odd things of their language, and none of that is to cost them their offers.
 */
export const languageWishes = z.string().meta({ maxLength: 400 }).optional();

/** One language, in the spelling that is kept. */
export const languageTag = z
  .string()
  .refine((text) => spelledTag(text) !== null, "must be a language tag such as de or pt-BR")
  .meta({ maxLength: mostTagLength })
  .transform((text) => spelledTag(text) ?? "");

/**
 * A language that need not be said, in the spelling that is kept: what an offer's own texts are in, and what a website is set to
 * speak. `""`: it is not said.
 */
export const languageOrNone = z
  .string()
  .refine((text) => text === "" || spelledTag(text) !== null, "must be a language tag such as de or pt-BR")
  .transform((text) => spelledTag(text) ?? "");

const longestTitle = 120;

/** The texts of an offer, each with its greatest length, as another language has them. */
const texts = {
  title: line(longestTitle),
  description: line(300),
  ctaText: line(40),
  // The warning that EU law asks for beside contracts for difference has 349 characters in German, and lenders' examples as many.
  disclosure: line(600),
  terms: line(600),
} as const satisfies Record<OfferText, z.ZodString>;

/** An offer's own texts; only its title cannot be empty. */
export const ownTexts = {
  title: filledLine(longestTitle),
  description: texts.description.default(""),
  ctaText: texts.ctaText.default(""),
  disclosure: texts.disclosure.default(""),
  terms: texts.terms.default(""),
} as const satisfies Record<OfferText, z.ZodType<string>>;

const textsOfLocale = z.strictObject(texts).partial();

const mostLocales = 60;

/** Texts in other languages. A text that is not there is said in a wider locale, or as the offer itself says it. */
export type OfferLocales = Readonly<Record<string, Readonly<Partial<Record<OfferText, string>>>>>;

/**
 * An offer's texts by the language tag of their locale. Tags are kept in one spelling and order; blank texts, and locales
 * without any, are not kept.
 */
export const offerLocales = z
  .record(z.string(), textsOfLocale)
  .superRefine((locales, context) => {
    const tags = Object.keys(locales);
    const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    // A file of offers has a column for each locale of any of them, and empty cells for those that an offer has not.
    const filled = Object.values(locales).filter((texts) => Object.values(texts).some((text) => text));
    if (filled.length > mostLocales) refuse([], `must be at most ${mostLocales}`);
    const seen = new Set<string>();
    for (const tag of tags) {
      const spelled = spelledTag(tag);
      if (spelled === null) refuse([tag], "must be under a language tag such as de or pt-BR");
      else if (seen.has(spelled)) refuse([tag], `must stand once: it is ${spelled}`);
      else seen.add(spelled);
    }
  })
  .transform((locales): OfferLocales => {
    const kept = Object.entries(locales).flatMap(([tag, texts]) => {
      const filled = Object.entries(texts).filter(([, text]) => text);
      return filled.length > 0 ? [[spelledTag(tag) ?? tag, Object.fromEntries(filled)] as const] : [];
    });
    return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
