import type { Options } from "../wire/visit.ts";
import type { Words } from "./words.ts";

/**
 * The words with the publisher's own in their places: `data-words-heading="…"` on the tag, or `words` given to
 * `init`, where `words: { de: { … } }` holds for one language only. A text of which nothing can be seen changes
 * nothing, nor does a label of advertising with fewer than two letters, so none can be taken away.
 */
export function ownWords(words: Words, options: Options, language: string): Words {
  const given = Object(options.words) as Record<string, unknown>;
  const ofLanguage = Object(given[language]) as Record<string, unknown>;
  const own = { ...words };
  for (const name of Object.keys(words) as (keyof Words)[]) {
    if (name === "rtl") continue;
    const onTag = options[`words${name.charAt(0).toUpperCase()}${name.slice(1)}`];
    const text = [ofLanguage[name], given[name], onTag].find(
      (value): value is string =>
        typeof value === "string" && (labels.test(name) ? isWord : isVisible).test(value),
    );
    if (text) own[name] = text.trim();
  }
  return own;
}

/** The labels by which a visitor knows that offers are advertising and that the first place is paid for. */
const labels = /^(sponsored|commission|featured)$/;
const isWord = /((?!\p{Default_Ignorable_Code_Point})\p{L}.*){2}/su;
const isVisible = /[^\s\p{Default_Ignorable_Code_Point}]/u;
