import { expect, it } from "vitest";
import {
  languageName,
  readTranslations,
  translationsJson,
  translationsSentence,
  withoutLanguage,
  withText,
} from "./translations.ts";

const json = translationsJson({ de: { title: "Wind", terms: "Ja" }, "pt-BR": { title: "Vento" } });

it.each([
  ["nothing", "", {}],
  ["translations", json, { de: { title: "Wind", terms: "Ja" }, "pt-BR": { title: "Vento" } }],
  ["a language without a text", '{"de": {}}', { de: {} }],
  ["what is typed by half", '{"de": {', null],
  ["a text that no form has a field for", '{"de": {"slogan": "Wind"}}', null],
  ["a text that is none", '{"de": {"title": 7}}', null],
  ["a list", "[]", null],
])("a form shows %s, or leaves it as it is written", (_, text, read) => {
  expect(readTranslations(text)).toEqual(read);
});

it("writes what it has read as it was", () => {
  expect(translationsJson(readTranslations(json) ?? {})).toBe(json);
});

it("changes one text and leaves the others, and an empty text is none", () => {
  const all = readTranslations(json) ?? {};
  expect(withText(all, "de", "title", "Sturm")).toEqual({ ...all, de: { title: "Sturm", terms: "Ja" } });
  expect(withText(all, "de", "terms", "")).toEqual({ ...all, de: { title: "Wind" } });
  expect(withText(all, "fr", "title", "Vent")).toEqual({ ...all, fr: { title: "Vent" } });
  expect(withoutLanguage(all, "de")).toEqual({ "pt-BR": { title: "Vento" } });
});

it("calls languages by their names", () => {
  expect([languageName("de"), languageName("pt-BR"), languageName("no language")]).toEqual([
    "German (de)",
    "Brazilian Portuguese (pt-BR)",
    "no language",
  ]);
  expect(translationsSentence(json)).toBe("German (de): Wind, Ja; Brazilian Portuguese (pt-BR): Vento");
  expect(translationsSentence("{")).toBeUndefined();
});
