import { blockReasons, widgetLanguages } from "@offers/contract/words";
import { describe, expect, test } from "vitest";
import { words as ar } from "./ar.ts";
import { blockedWords } from "./blocked-words.ts";
import { chooseLanguage } from "./choose-language.ts";
import { words as de } from "./de.ts";
import { en } from "./en.ts";
import { words as es } from "./es.ts";
import { words as fr } from "./fr.ts";
import { words as it } from "./it.ts";
import { words as ja } from "./ja.ts";
import { words as nl } from "./nl.ts";
import { words as pl } from "./pl.ts";
import { words as pt } from "./pt.ts";

const files = { ar: "c/1.js", de: "c/2.js", es: "c/3.js", fr: "c/4.js" };

describe("the language", () => {
  test.each([
    [["de", "fr-FR", "en"], "de"],
    [["", "fr-CA", "en-US"], "fr"],
    [["", "", "es_419"], "es"],
    [["AR-sa"], "ar"],
    [["en-GB", "de"], "en"],
    [["tlh", "de-AT"], "de"],
    [["tlh", "", ""], "en"],
    [[], "en"],
  ])("of the wishes %j is %s", (wishes, language) => {
    expect(chooseLanguage(wishes, files)).toBe(language);
  });
});

const all = { en, ar, de, es, fr, it, ja, nl, pl, pt };

test("the service knows in which languages the widget speaks", () => {
  expect(Object.keys(all)).toEqual([...widgetLanguages]);
});

describe.each(Object.entries(all))("in %s", (language, words) => {
  test("every text that English has is there", () => {
    const { rtl, ...texts } = words;
    expect(Object.keys(texts)).toEqual(Object.keys(en));
    expect(Object.values(texts).every((text) => text.trim() === text && text !== "")).toBe(true);
    expect(rtl).toBe(language === "ar" ? true : undefined);
  });

  test.each(["", ...blockReasons])("the reason %j has a title and a message", (reason) => {
    for (const dismissible of [true, false]) {
      const { title, message } = blockedWords(words, reason, dismissible);
      expect(title).not.toBe("");
      expect(message).not.toBe("");
    }
  });

  test.each(blockReasons)("a page that is there is not said to be unavailable: %j", (reason) => {
    const hard = blockedWords(words, reason, false);
    const soft = blockedWords(words, reason, true);
    expect([words.titleCountry, words.titleRegion, words.message, words.messageUnknown]).not.toContain(
      soft.title,
    );
    expect(soft.message).not.toBe(hard.message);
  });

  test("the paid place is not called a recommendation", () => {
    const recommended =
      /recommend|featured|empf[ao]hl|recommand|à la une|destacad|recomend|destaque|evidenza|consiglia|uitgelicht|aanbev|polec|موصى|مميّز|おすすめ|お勧め/i;
    for (const text of Object.values(words)) expect(String(text)).not.toMatch(recommended);
  });
});

test("country, region and an unknown place are told apart", () => {
  const titles = ["country_blocked", "region_blocked", "location_unknown"].map(
    (reason) => blockedWords(en, reason, false).title,
  );
  expect(new Set(titles).size).toBe(3);
  expect(blockedWords(en, "region_not_allowed", false).title).toBe(titles[1]);
  expect(blockedWords(en, "a reason of tomorrow", false).title).toBe(titles[0]);
});
