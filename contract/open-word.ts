import { z } from "zod";

/**
 * One word of a list that may gain words within /v1 (docs/releases.md). The document marks it, for its `enum` alone would
 * promise a client that no other word comes. The mark has the words too: tools that know it read them there.
 */
export function openWord<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).meta({ "x-extensible-enum": [...words] });
}
