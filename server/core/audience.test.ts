import { expect, test } from "vitest";
import { firstLanguage, isFor } from "./audience.ts";

test.each([
  ["nothing named is for everybody", [], [], null, null, true],
  ["a language", ["de"], [], "de", null, true],
  ["in any of its regions", ["de"], [], "de-AT", null, true],
  ["in any case", ["PT-br"], [], "pt-BR", null, true],
  ["a region's language alone", ["pt-BR"], [], "pt", null, false],
  ["not one that begins alike", ["de"], [], "deu", null, false],
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
  expect(isFor(offer, { language, device })).toBe(expected);
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
