import { wordsFiles } from "virtual:words-files";
import { languageWishes } from "../wire/service-urls.ts";
import type { LoaderTag } from "../wire/visit.ts";
import { chooseLanguage } from "../words/choose-language.ts";
import { ownWords } from "../words/own-words.ts";
import type { Words } from "../words/words.ts";
import { wordsOf } from "../words/words-of.ts";

/**
 * How a visitor is spoken to. Where there are no words in the page's language they are English, in the page's direction: so
 * each text says its own direction (`dir="auto"`), and only what stands beside what follows the page's.
 */
export type Speech = {
  language: string;
  direction: "ltr" | "rtl";
  words: Words;
  /** The language of a text that the publisher has written, as its website, tag or page says it, where it is another one. */
  langOf(text: string): string | undefined;
};

/** The language that the tag, the website's setting, the page or the browser asks for, with the publisher's own words in it. */
export async function speech(tag: LoaderTag, inSettings: string): Promise<Speech> {
  const page = document.documentElement;
  const wishes = languageWishes(tag, inSettings).split(",");
  const { language, words: ours } = await wordsOf(chooseLanguage(wishes, wordsFiles), tag.base);
  const words = ownWords(ours, tag.options, language);
  const isRightToLeft = words.rtl || (!wishes[0] && page.dir === "rtl");
  const own = inSettings || wishes[0] || wishes[1] || language;
  const isOther = own.toLowerCase().split(/[-_]/)[0] !== language;
  return {
    language,
    direction: isRightToLeft ? "rtl" : "ltr",
    words,
    langOf: (text) => (text && isOther ? own : undefined),
  };
}
