import { expect, test } from "vitest";
import { deviceClass, firstLanguage, isFor } from "./audience.ts";

test.each([
  ["nothing named is for everybody", [], [], null, null, true],
  ["a language", ["de"], [], "de", null, true],
  ["in any of its regions", ["de"], [], "de-AT", null, true],
  ["in any case", ["PT-br"], [], "pt-BR", null, true],
  ["a region's language alone", ["pt-BR"], [], "pt", null, false],
  ["not one that begins alike", ["de"], [], "deu", null, false],
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
  [" pt-BR , en", "pt-BR"],
  ["*", null],
  ["", null],
  [undefined, null],
  ["<script>", null],
])("the first language of %s is %s", (header, expected) => {
  expect(firstLanguage(header)).toBe(expected);
});

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0";
test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, "desktop"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
    "desktop",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "desktop"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", "phone"],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome} Mobile Safari/537.36`, "phone"],
  [`Mozilla/5.0 (Linux; Android 14; SM-X900) ${chrome} Safari/537.36`, "tablet"],
  ["Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", "tablet"],
  ["curl/8.5.0", null],
  ["", null],
  [undefined, null],
])("the device of %s is %s", (userAgent, expected) => {
  expect(deviceClass(userAgent)).toBe(expected);
});
