import { mostTagLength } from "@offers/contract/language-tag";

/** The forms of a language tag in which those that mean the same are equal, whichever way they were written. */
export type TagForms = {
  /** What a visitor reads whose browser names it, with the script: `zh-Hant-TW` of `zh-TW`, `he-Hebr` of `iw`. */
  spoken: string;
  /** What an offer asks for that names it. It begins what is spoken by whom it is for: `zh-Hant`, `he`. */
  range: string;
  /** The shortest: a script that the language is usually written in is left out, as in `zh` of `zh-Hans`. */
  short: string;
};

/** Reads a tag; null: it is none that the data of languages can read, so its text is all that there is to compare. */
type TagReader = (tag: string) => TagForms | null;

/** The one reader of this process. */
export const formsOfTag: TagReader = createTagReader();

/** Browsers send more of Norwegian than `no`, which is what people write, and who reads one of them reads the others. */
const norwegian: ReadonlySet<string> = new Set(["nb", "nn"]);

/**
 * A reader that remembers the tags that it has read, since reading one takes as long as a good part of an answer. It forgets
 * all of them when they are too many: visitors send few, unless somebody makes them up.
 */
export function createTagReader(most = 1_000): TagReader {
  const known = new Map<string, TagForms | null>();
  return (tag) => {
    if (tag.length > mostTagLength) return null;
    const before = known.get(tag);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const forms = readForms(tag);
    known.set(tag, forms);
    return forms;
  };
}

function readForms(tag: string): TagForms | null {
  const locale = localeOf(tag);
  if (locale === null) return null;
  const { script: namedScript, region } = locale;
  const language = norwegian.has(locale.language) ? "no" : locale.language;
  const script = locale.maximize().script;
  const usualScript = new Intl.Locale(language).maximize().script;
  const isNamed = (part: string | undefined): part is string => part !== undefined;
  const named = [language, namedScript, region].filter(isNamed).length;
  const variants = locale.baseName.split("-").slice(named);
  const joined = (...parts: (string | undefined)[]): string =>
    [...parts.filter(isNamed), ...variants].join("-");
  const spoken = joined(language, script, region);
  return {
    spoken,
    range: named === 1 ? joined(language) : spoken,
    short: joined(language, script === usualScript ? undefined : script, region),
  };
}

function localeOf(tag: string): Intl.Locale | null {
  // It names no language, and has none.
  if (/^und(-|$)/i.test(tag)) return null;
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}
