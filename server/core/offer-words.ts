import { spelledTag } from "@offers/contract/locales";
import { type OfferText, offerTexts, widgetLanguages } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/** The tags under which texts are looked for, the exact one first and its language last; none: the offer's own stand. */
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
  const asked = tagsIn((lang ?? "").split(/[\s,]+/, mostWishes));
  const tags = asked.length > 0 ? asked : tagsIn(wishesOf(acceptLanguage ?? ""));
  const wanted = tags.find(isOfWidget) ?? tags[0];
  return wanted === undefined ? [] : widening(wanted);
}

/** An offer's texts in the wanted locale, each as the narrowest locale has it that has it at all, or as its own. */
export function textsFor(offer: Said, wanted: WantedLocale): SaidTexts {
  const found = wanted.findIndex((tag) => Object.hasOwn(offer.locales, tag));
  return saidIn(offer, found === -1 ? [] : wanted.slice(found));
}

/** Makes something of an offer's texts once for each of its locales, and returns which of it a locale gets. */
export function inEachLocale<Value>(
  offer: Said,
  make: (said: SaidTexts) => Value,
): (wanted: WantedLocale) => Value {
  const own = make(saidIn(offer, []));
  const tags = Object.keys(offer.locales);
  if (tags.length === 0) return () => own;
  const made = new Map(tags.map((tag) => [tag, make(saidIn(offer, widening(tag)))]));
  return (wanted) => {
    for (const tag of wanted) {
      const value = made.get(tag);
      if (value !== undefined) return value;
    }
    return own;
  };
}

function saidIn(offer: Said, wanted: WantedLocale): SaidTexts {
  const found = offerTexts.map((name) => {
    for (const tag of wanted) {
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

/** `zh-Hant-TW`, `zh-Hant`, `zh`: the order in which RFC 4647 section 3.4 looks a tag up. */
const widening = (tag: string): WantedLocale => {
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
