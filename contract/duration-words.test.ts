import { expect, test } from "vitest";
import { durationWords } from "./duration-words.ts";

test.each([
  [45, "45 seconds"],
  [90, "90 seconds"],
  [150, "150 seconds"],
  [300, "5 minutes"],
  [1800, "30 minutes"],
  [3600, "60 minutes"],
  [5400, "90 minutes"],
  [86_400, "24 hours"],
  [172_800, "2 days"],
  [2_592_000, "30 days"],
])("%d seconds are %s", (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});
