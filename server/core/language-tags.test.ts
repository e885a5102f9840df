import { expect, it, test } from "vitest";
import { createTagReader } from "./language-tags.ts";

test.each([
  ["de", "de-Latn", "de", "de"],
  ["de-at", "de-Latn-AT", "de-Latn-AT", "de-AT"],
  ["de-1996", "de-Latn-1996", "de-1996", "de-1996"],
  ["zh", "zh-Hans", "zh", "zh"],
  ["zh-CN", "zh-Hans-CN", "zh-Hans-CN", "zh-CN"],
  ["zh-Hans", "zh-Hans", "zh-Hans", "zh"],
  ["zh-TW", "zh-Hant-TW", "zh-Hant-TW", "zh-Hant-TW"],
  ["zh-Hant", "zh-Hant", "zh-Hant", "zh-Hant"],
  ["sr-ME", "sr-Latn-ME", "sr-Latn-ME", "sr-Latn-ME"],
  ["nb-NO", "no-Latn-NO", "no-Latn-NO", "no-NO"],
  ["nn", "no-Latn", "no", "no"],
  ["iw", "he-Hebr", "he", "he"],
  ["in-ID", "id-Latn-ID", "id-Latn-ID", "id-ID"],
  ["en-UK", "en-Latn-GB", "en-Latn-GB", "en-GB"],
  ["de-DE-u-co-phonebk", "de-Latn-DE", "de-Latn-DE", "de-DE"],
])("%s is spoken as %s, asked for as %s, and in short %s", (tag, spoken, range, short) => {
  expect(createTagReader()(tag)).toEqual({ spoken, range, short });
});

it.each(["zh-yue", "und", "und-Latn", "und-US", "", "d", `de-${"a".repeat(8)}${"-abcdefgh".repeat(4)}`])(
  "cannot read %j",
  (tag) => {
    expect(createTagReader()(tag)).toBeNull();
  },
);

it("remembers what it has read, and no more than it may", () => {
  const read = createTagReader(2);
  const first = read("de");
  expect(read("de")).toBe(first);
  read("zh-yue");
  expect(read("de")).toBe(first);
  read("fr");
  expect(read("de")).toEqual(first);
  expect(read("de")).not.toBe(first);
});
