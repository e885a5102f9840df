import { spelledTag } from "@offers/contract/language-tag";
import { type OfferText, offerTexts, widgetLanguages } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { formsOfTag } from "./language-tags.ts";

/**
 * The tags under which texts are looked for, the exact one first and its language last, each as it is written and in its
 * short form; none: the offer's own stand.
 */
export type WantedLocale = readonly string[];

/** What an offer says in one locale. */
export type SaidTexts = {
  texts: Readonly<Record<OfferText, string>>;
  /** The language tag of its title; `""`: it is not said. */
  lang: string;
  /** Those of the texts that are in another language than the title. */
  langOf: Readonly<Partial<Record<OfferText, string>>>;
};

type Said = Pick<Offer, "language" | "locales" | OfferText>;

/** More wishes than a page or a browser has; the rest of a longer list is not looked at. */
const mostWishes = 10;

/**
 * Which locale a call wants. `lang` lists language tags, the most wanted first, with commas or spaces between them; what
 * is no tag is passed over. `Accept-Language` (RFC 9110 section 12.5.4) decides where that names none. Of several the
 * first is wanted that the widget has words in, as it chooses those, so that both are said in one language; else the first.
 */
export function wantedLocale(lang: string | undefined, acceptLanguage: string | undefined): WantedLocale {
  const asked = tagsIn(
    (lang ?? "")
      .split(/[\s,]+/)
      .filter(Boolean)
      .slice(0, mostWishes),
  );
  const wishes = asked.length > 0 ? asked : tagsIn(wishesOf(acceptLanguage ?? ""));
  const wanted = wishes.find(isOfWidget) ?? wishes[0];
  return wanted === undefined ? [] : widening(wanted);
}

/**
 * Makes something of an offer's texts once for each of its locales that is asked for, and returns which of it a locale
 * gets. Each text is as the narrowest locale has it that has it at all, or as its own.
 */
export function inEachLocale<Value>(
  offer: Said,
  make: (said: SaidTexts) => Value,
): (wanted: WantedLocale) => Value {
  const own = make(saidIn(offer, []));
  const known = localesOf(offer);
  if (known.size === 0) return () => own;
  const made = new Map<string, Value>();
  return (wanted) => {
    const tag = firstOf(known, wanted);
    if (tag === undefined) return own;
    const before = made.get(tag);
    if (before !== undefined) return before;
    const value = make(saidIn(offer, widerLocales(known, tag)));
    made.set(tag, value);
    return value;
  };
}

/** The tags of an offer's locales by what they are looked for under: by themselves, and by their short forms. */
function localesOf({ locales }: Said): ReadonlyMap<string, string> {
  const kept = Object.keys(locales);
  const known = new Map(kept.map((tag) => [tag, tag]));
  for (const tag of kept) {
    const short = formsOfTag(tag)?.short;
    if (short !== undefined && !known.has(short)) known.set(short, tag);
    if (!tag.includes("-")) known.set(writtenSo(tag), tag);
  }
  return known;
}

/** A locale of an offer and those of its locales that are wider, by the tags that are kept. */
function widerLocales(known: ReadonlyMap<string, string>, tag: string): readonly string[] {
  return widening(tag).flatMap((form) => known.get(form) ?? []);
}

function firstOf<Value>(values: ReadonlyMap<string, Value>, wanted: WantedLocale): Value | undefined {
  for (const form of wanted) {
    const value = values.get(form);
    if (value !== undefined) return value;
  }
  return undefined;
}

function saidIn(offer: Said, locales: readonly string[]): SaidTexts {
  const found = offerTexts.map((name) => {
    for (const tag of locales) {
      const text = offer.locales[tag]?.[name];
      if (text !== undefined) return { name, text, lang: tag };
    }
    return { name, text: offer[name], lang: offer.language };
  });
  const lang = found.find(({ name }) => name === "title")?.lang ?? "";
  const others = found.filter((one) => one.text !== "" && languageOf(one.lang) !== languageOf(lang));
  return {
    texts: Object.fromEntries(found.map(({ name, text }) => [name, text])) as Record<OfferText, string>,
    lang,
    langOf: Object.fromEntries(others.map((one) => [one.name, one.lang])),
  };
}

/**
 * `de-AT`, `de`: the order in which RFC 4647 section 3.4 looks a tag up, and the short form in the same way: `zh-TW`,
 * `zh-Hant-TW`, `zh-Hant`. Of a language that is usually written in another script what is kept under its name alone is
 * looked at last, and not what is kept for that script.
 */
const widening = (tag: string): WantedLocale => {
  const written = cutsOf(tag);
  const short = cutsOf(formsOfTag(tag)?.short ?? tag);
  const narrow = [...written.slice(0, -1), ...short.slice(0, -1)];
  const isOtherwiseWritten = /^[^-]+-[a-z]{4}(-|$)/i.test(short[0] ?? "");
  const widest = [...written.slice(-1), ...short.slice(-1)];
  return [...new Set([...narrow, ...(isOtherwiseWritten ? widest.map(writtenSo) : widest)])];
};

/** Under which a locale is found that is the bare name of a language, and none that is merely in that language. */
const writtenSo = (language: string): string => `=${language}`;

/** `zh-Hant-TW`, `zh-Hant`, `zh`. */
const cutsOf = (tag: string): readonly string[] => {
  const parts = tag.split("-");
  return parts.map((_, cut) => parts.slice(0, parts.length - cut).join("-"));
};

const languageOf = (tag: string): string => tag.split("-", 1)[0] ?? "";

const isOfWidget = (tag: string): boolean => (widgetLanguages as readonly string[]).includes(languageOf(tag));

const tagsIn = (wishes: readonly string[]): string[] =>
  wishes.map(spelledTag).filter((tag): tag is string => tag !== null);

/** The ranges of an Accept-Language header, best first; one of quality 0 is not wanted. */
const wishesOf = (header: string): string[] =>
  header
    .split(",", mostWishes)
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q\s*=/i.test(parameter));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(quality.indexOf("=") + 1)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
