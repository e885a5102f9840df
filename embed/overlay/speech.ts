import { wordsFiles } from "virtual:words-files";
import type { LoaderTag } from "../wire/visit.ts";
import { chooseLanguage } from "../words/choose-language.ts";
import { ownWords } from "../words/own-words.ts";
import type { Words } from "../words/words.ts";
import { wordsOf } from "../words/words-of.ts";

/** How a visitor is spoken to. */
export type Speech = { language: string; direction: "ltr" | "rtl"; words: Words };

/** The language that the tag, the website's setting, the page or the browser asks for, with the publisher's own words in it. */
export async function speech(tag: LoaderTag, inSettings: string): Promise<Speech> {
  const page = document.documentElement;
  const chosen = String(tag.options.lang || inSettings);
  const language = chooseLanguage([chosen, page.lang, navigator.language], wordsFiles);
  const words = ownWords(await wordsOf(language, tag.base), tag.options, language);
  const isRightToLeft = words.rtl || (!chosen && page.dir === "rtl");
  return { language, direction: isRightToLeft ? "rtl" : "ltr", words };
}
