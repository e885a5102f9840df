import { describe, expect, it } from "vitest";
import { inEachLocale, wantedLocale } from "./offer-words.ts";
import { sampleOffer } from "./sample-catalogue.ts";

describe("the locale that a call wants", () => {
  it.each([
    ["nothing where nothing is said", undefined, undefined, []],
    ["the tag and its language", "de-AT", undefined, ["de-AT", "de"]],
    ["a language alone", "ja", undefined, ["ja"]],
    ["each part of a long tag", "zh-hant-tw", undefined, ["zh-Hant-TW", "zh-Hant", "=zh"]],
    ["the script that the region has", "zh-TW", undefined, ["zh-TW", "zh-Hant-TW", "zh-Hant", "=zh"]],
    ["no script that the language has anyway", "zh-CN", undefined, ["zh-CN", "zh"]],
    ["Norwegian of each kind", "nn-NO", undefined, ["nn-NO", "no-NO", "nn", "no"]],
    ["a language by its new name as well", "iw", undefined, ["iw", "he"]],
    ["a tag that cannot be read", "zh-yue", undefined, ["zh-yue", "zh"]],
    ["a tag in any spelling", "PT_br", undefined, ["pt-BR", "pt"]],
    ["the first of several", "fr,de", undefined, ["fr"]],
    ["the first of several between spaces, blank ones passed over", " ,fr de", undefined, ["fr"]],
    ["the first that the widget speaks", "sv-FI,de-CH,en", undefined, ["de-CH", "de"]],
    ["English, which the widget speaks, before a later one", "en,de-DE", undefined, ["en"]],
    ["the first where the widget speaks none", "sv-FI,nb", undefined, ["sv-FI", "sv"]],
    ["lang and not the header", "fr", "de", ["fr"]],
    ["the header where lang is blank", " ,", "de", ["de"]],
    ["the header where lang is no tag", "d;DROP,../x,é", "de", ["de"]],
    ["what is a tag beside what is none", "x-klingon,{},de", "fr", ["de"]],
    ["no member of objects", "constructor,__proto__", undefined, []],
    ["nothing of a tag that never ends", `de-${"a".repeat(40)}`, undefined, []],
    ["nothing behind the tenth", `${"?,".repeat(10)}de`, "fr", ["fr"]],
    ["the header's first of equal ones", undefined, "es-MX,fr", ["es-MX", "es"]],
    ["the header's best", undefined, "en;q=0.4, fr;q=0.9, de;q=0.8", ["fr"]],
    ["the header's best that the widget speaks", undefined, "sv, fi;q=0.9, de;q=0.8", ["de"]],
    ["the header's best by a quality of one", undefined, "de;q=0.9, fr;q=1, it;q=0.8", ["fr"]],
    ["none that the header refuses", undefined, "de;q=0, *;q=0.5", []],
    ["none whose quality cannot be read", undefined, "de;q=x, fr;Q=0.1", ["fr"]],
    ["nothing for any language", undefined, "*", []],
  ])("is %s", (_, lang, header, wanted) => {
    expect(wantedLocale(lang, header)).toEqual(wanted);
  });
});

const offer = sampleOffer({
  title: "Ten gigabytes",
  description: "A month.",
  terms: "New customers.",
  language: "en-GB",
  locales: {
    de: { title: "Zehn Gigabyte", description: "Im Monat.", terms: "Nur neu." },
    "de-AT": { terms: "Nur neu in Österreich." },
    fr: { title: "Dix gigaoctets" },
    ja: { description: "毎月。" },
    "zh-Hant": { title: "10 GB" },
  },
});

describe("an offer's texts", () => {
  it.each([
    ["its own where nothing is wanted", [], "Ten gigabytes", "A month.", "New customers.", "en-GB", {}],
    ["those of the exact locale", ["de"], "Zehn Gigabyte", "Im Monat.", "Nur neu.", "de", {}],
    [
      "those of the language where the exact locale has none",
      ["de-AT", "de"],
      "Zehn Gigabyte",
      "Im Monat.",
      "Nur neu in Österreich.",
      "de",
      {},
    ],
    [
      "those of the language for another region",
      ["de-CH", "de"],
      "Zehn Gigabyte",
      "Im Monat.",
      "Nur neu.",
      "de",
      {},
    ],
    ["its own where the locale has none", ["es"], "Ten gigabytes", "A month.", "New customers.", "en-GB", {}],
    ["its own in its own language", ["en"], "Ten gigabytes", "A month.", "New customers.", "en-GB", {}],
    [
      "its own for those texts that the locale has not",
      ["fr"],
      "Dix gigaoctets",
      "A month.",
      "New customers.",
      "fr",
      { description: "en-GB", terms: "en-GB" },
    ],
    [
      "the locale's beside its own title",
      ["ja"],
      "Ten gigabytes",
      "毎月。",
      "New customers.",
      "en-GB",
      { description: "ja" },
    ],
    [
      "those of a script",
      ["zh-Hant-TW", "zh-Hant", "zh"],
      "10 GB",
      "A month.",
      "New customers.",
      "zh-Hant",
      { description: "en-GB", terms: "en-GB" },
    ],
    [
      "its own for a name that every object has",
      ["constructor"],
      "Ten gigabytes",
      "A month.",
      "New customers.",
      "en-GB",
      {},
    ],
  ])("are %s", (_, wanted, title, description, terms, lang, langOf) => {
    const said = {
      texts: { title, description, ctaText: "", disclosure: "", terms },
      lang,
      langOf,
    };
    expect(inEachLocale(offer, (made) => made)(wanted)).toEqual(said);
  });

  it.each([
    ["Traditional Chinese", "zh-TW", "zh-Hant", "繁"],
    ["Traditional Chinese of elsewhere", "zh-HK", "zh-Hant", "繁"],
    ["Traditional Chinese of there", "zh-Hant-MO", "zh-MO", "澳"],
    ["Simplified Chinese", "zh-CN", "zh-Hans", "简"],
    ["Norwegian", "nb-NO", "no", "Norsk"],
    ["New Norwegian where there is such a text", "nn-NO", "nn", "Nynorsk"],
    ["Hebrew by its old name", "he-IL", "iw", "עברית"],
  ])("are those of %s for a browser that says %s", (_, said, lang, title) => {
    const titles = {
      "zh-Hans": "简",
      "zh-Hant": "繁",
      "zh-MO": "澳",
      nn: "Nynorsk",
      no: "Norsk",
      iw: "עברית",
    };
    const locales = Object.fromEntries(Object.entries(titles).map(([tag, title]) => [tag, { title }]));
    const translated = sampleOffer({ title: "Ten", locales });
    const wanted = wantedLocale(undefined, said);
    expect(inEachLocale(translated, (made) => made)(wanted)).toMatchObject({ lang, texts: { title } });
  });

  it.each([
    ["zh-TW", { "zh-Hans": "简" }, ""],
    ["zh-TW", { "zh-Hans": "简", zh: "中" }, "zh"],
    ["zh-Hant", { zh: "中" }, "zh"],
    ["sr-Latn-RS", { "sr-Cyrl": "Десет" }, ""],
    ["zh-CN", { "zh-Hans": "简", "zh-Hant": "繁" }, "zh-Hans"],
    ["und", { und: "?" }, "und"],
    ["und-US", { de: "Zehn" }, ""],
  ])("are in no other script than %s is written in, unless they name none", (said, titles, lang) => {
    const locales = Object.fromEntries(Object.entries(titles).map(([tag, title]) => [tag, { title }]));
    const translated = sampleOffer({ title: "Ten", locales });
    const wanted = wantedLocale(said, undefined);
    expect(inEachLocale(translated, (made) => made.lang)(wanted)).toBe(lang);
  });

  it("are in no language that was not said", () => {
    const inGerman = (over: Parameters<typeof sampleOffer>[0]) =>
      inEachLocale(sampleOffer(over), (said) => said)(["de"]);
    expect(inGerman({ locales: { de: { title: "Eine" } } })).toMatchObject({ lang: "de" });
    expect(inGerman({})).toMatchObject({ lang: "", langOf: {} });
  });

  it("are those of the only locale that there is, for whoever wants it", () => {
    const only = sampleOffer({ title: "Ten", locales: { de: { title: "Zehn" } } });
    const titleIn = inEachLocale(only, ({ texts }) => texts.title);
    expect([["de"], ["de-AT", "de"], ["fr"], []].map(titleIn)).toEqual(["Zehn", "Zehn", "Ten", "Ten"]);
  });

  it("are made once for each locale, however often they are asked for", () => {
    let times = 0;
    const textOf = inEachLocale(offer, () => {
      times += 1;
      return times;
    });
    for (const wanted of [["de"], ["de-CH", "de"], [], ["es"], ["de"]]) textOf(wanted);
    expect(times).toBe(2);
  });
});
