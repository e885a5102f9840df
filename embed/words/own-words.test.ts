import { expect, test } from "vitest";
import { words as de } from "./de.ts";
import { en } from "./en.ts";
import { ownWords } from "./own-words.ts";

test.each([
  ["an attribute", { wordsHeading: "Our partners" }, "Our partners"],
  ["init", { words: { heading: "Our partners" } }, "Our partners"],
  [
    "init rather than an attribute",
    { wordsHeading: "A", words: { heading: "Our partners" } },
    "Our partners",
  ],
  ["init for this language", { words: { heading: "A", en: { heading: "Our partners" } } }, "Our partners"],
  ["nobody, when init speaks of another language", { words: { de: { heading: "Partner" } } }, en.heading],
  ["nobody, when it is empty", { wordsHeading: "  ", words: { heading: "" } }, en.heading],
  ["nobody, when nothing of it can be seen", { wordsHeading: "\u200b\u00ad \u3164" }, en.heading],
  ["a sign", { wordsHeading: "→" }, "→"],
  ["nobody, when it is no text", { words: { heading: 7 } }, en.heading],
])("the heading is said by %s", (_name, options, heading) => {
  expect(ownWords(en, options, "en").heading).toBe(heading);
});

test("every text can be the publisher's, and the label that marks advertising stays one", () => {
  const { rtl: _rtl, ...texts } = de;
  const own = Object.fromEntries(Object.keys(texts).map((name) => [name, `my ${name}`]));
  expect(ownWords(de, { words: own }, "de")).toEqual(own);
  expect(ownWords(de, { words: { sponsored: " " } }, "de").sponsored).toBe(de.sponsored);
});

test.each(["sponsored", "commission", "featured"] as const)("the label %s keeps to words", (name) => {
  for (const text of [".", "→ 2 →", "A", "\u3164\u3164", "\ud83d\udcb0"])
    expect(ownWords(de, { words: { [name]: text } }, "de")[name]).toBe(de[name]);
  for (const text of ["Ad", "広告", "Werbung:\nAnzeige"])
    expect(ownWords(de, { words: { [name]: text } }, "de")[name]).toBe(text);
});

test("what is no word of ours changes nothing", () => {
  expect(ownWords(en, { words: { rtl: true, constructor: "x", other: "y" } }, "en")).toEqual(en);
});
