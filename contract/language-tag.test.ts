import { expect, it } from "vitest";
import { spelledTag } from "./language-tag.ts";

it.each([
  ["de", "de"],
  ["PT_br", "pt-BR"],
  ["zh-hant", "zh-Hant"],
  ["iw", "iw"],
  ["German", null],
  ["d", null],
  ["", null],
])("%j is the language %j", (typed, tag) => {
  expect(spelledTag(typed)).toBe(tag);
});
