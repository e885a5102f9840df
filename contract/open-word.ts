import { z } from "zod";

/** What marks a list that may gain words: its words of today. Tools that know the mark read them there. */
export const openMark = "x-extensible-enum";

/**
 * One word of a list that may gain words within /v1 (docs/releases.md). The document marks it, and publishes it by
 * `openWords`.
 */
export function openWord<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).meta({ [openMark]: [...words] });
}

/**
 * How the document publishes such a list: the words of today, or any other text. By an `enum` alone a typed client that
 * is generated would refuse a whole answer for one new word in it.
 */
export function openWords(words: readonly string[]) {
  return {
    anyOf: [{ type: "string" as const, enum: [...words] }, { type: "string" as const }],
    [openMark]: [...words],
  };
}
