import { type OfferText, offerTexts } from "@offers/contract/words";
import { isMembers } from "./merge-patch.ts";

/** An offer's texts by language, as far as they have been written. */
export type Translations = Readonly<Record<string, Readonly<Partial<Record<OfferText, string>>>>>;

/** What the field of translations holds, for a form with a line for each text; null: it holds more than such a form can show. */
export function readTranslations(json: string): Translations | null {
  try {
    const value: unknown = JSON.parse(json.trim() === "" ? "{}" : json);
    return isMembers(value) && Object.values(value).every(isTexts) ? (value as Translations) : null;
  } catch {
    return null;
  }
}

/** The same as the field holds it. */
export function translationsJson(translations: Translations): string {
  return JSON.stringify(translations, null, 2);
}

/** With one text of one language written otherwise; a text that is empty is none. */
export function withText(all: Translations, tag: string, name: OfferText, text: string): Translations {
  const { [name]: _before, ...others } = all[tag] ?? {};
  return { ...all, [tag]: text === "" ? others : { ...others, [name]: text } };
}

/** Without a language. */
export function withoutLanguage(all: Translations, tag: string): Translations {
  const { [tag]: _gone, ...others } = all;
  return others;
}

/** What a language is called, with its tag, such as `German (de)`. */
export function languageName(tag: string): string {
  try {
    const name = languageNames.of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}

/** All translations on a line, to be told beside another version of them; undefined where the field holds something else. */
export function translationsSentence(json: string): string | undefined {
  const read = readTranslations(json);
  if (read === null) return undefined;
  return Object.entries(read)
    .map(([tag, texts]) => `${languageName(tag)}: ${Object.values(texts).join(", ")}`)
    .join("; ");
}

const isTexts = (value: unknown): boolean =>
  isMembers(value) &&
  Object.entries(value).every(
    ([name, text]) => offerTexts.includes(name as OfferText) && typeof text === "string",
  );

/** English, as the pages are. */
const languageNames = new Intl.DisplayNames(["en"], { type: "language" });
