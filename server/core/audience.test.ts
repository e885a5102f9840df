import { expect, test } from "vitest";
import { createAudiences, firstLanguage } from "./audience.ts";

test.each([
  ["nothing named is for everybody", [], [], null, null, true],
  ["a language", ["de"], [], "de", null, true],
  ["in any of its regions", ["de"], [], "de-AT", null, true],
  ["in any case", ["PT-br"], [], "pt-BR", null, true],
  ["a region's language alone", ["pt-BR"], [], "pt", null, false],
  ["not one that begins alike", ["de"], [], "den", null, false],
  ["one that is written in three letters", ["de"], [], "deu", null, true],
  ["a script, where the region has it", ["zh-Hant"], [], "zh-TW", null, true],
  ["a script, where the region has another", ["zh-Hant"], [], "zh-CN", null, false],
  ["a script, where the language alone has another", ["zh-Hant"], [], "zh", null, false],
  ["a script, where the language has it", ["zh-Hans"], [], "zh", null, true],
  ["a script that is named beside the region", ["zh-Hant"], [], "zh-Hant-HK", null, true],
  ["a region, beside whose name the script is named", ["zh-TW"], [], "zh-Hant-TW", null, true],
  ["another region of the script", ["zh-TW"], [], "zh-HK", null, false],
  ["a language in any of its scripts", ["zh"], [], "zh-TW", null, true],
  ["the script of another region's language", ["sr-Latn"], [], "sr-ME", null, true],
  ["Norwegian as browsers name it", ["no"], [], "nb-NO", null, true],
  ["Norwegian as another browser names it", ["nb"], [], "no", null, true],
  ["New Norwegian", ["no"], [], "nn", null, true],
  ["Norwegian of Norway", ["no-NO"], [], "nb-NO", null, true],
  ["Hebrew by its old name", ["iw"], [], "he-IL", null, true],
  ["Indonesian from an old browser", ["id"], [], "in-ID", null, true],
  ["a region by a name that it does not have", ["en-UK"], [], "en-GB", null, true],
  ["a tag that cannot be read, for its own", ["zh-yue"], [], "zh-yue", null, true],
  ["a tag that cannot be read, for others", ["zh-yue"], [], "zh-TW", null, false],
  ["a visitor's tag that cannot be read", ["no"], [], "zh-yue", null, false],
  ["one of several", ["fr", "de"], [], "de", null, true],
  ["another one", ["de", "fr"], [], "en", null, false],
  ["a language that is not known", ["de"], [], null, null, false],
  ["a device", [], ["phone", "tablet"], null, "tablet", true],
  ["another device", [], ["phone"], "de", "desktop", false],
  ["a device that is not known", [], ["phone"], "de", null, false],
  ["both", ["de"], ["phone"], "de", "phone", true],
  ["one of both", ["de"], ["phone"], "fr", "phone", false],
] as const)("for whom an offer is: %s", (_, languages, devices, language, device, expected) => {
  const offer = { languages: [...languages], devices: [...devices] };
  expect(createAudiences().forVisitor({ language, device })(offer)).toBe(expected);
});

test.each([
  ["de-AT,de;q=0.9,en;q=0.8", "de-AT"],
  ["fr;q=0.5", "fr"],
  ["es-419,es;q=0.9", "es-419"],
  [" pt-BR , en", "pt-BR"],
  ["*", null],
  ["", null],
  [undefined, null],
  ["<script>", null],
])("the first language of %s is %s", (header, expected) => {
  expect(firstLanguage(header)).toBe(expected);
});
