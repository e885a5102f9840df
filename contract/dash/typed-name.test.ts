import { expect, test } from "vitest";
import { isTypedName } from "./typed-name.ts";

test.each([
  ["Journal", "Journal", true],
  ["Journal", "Journal ", true],
  [" Journal ", "Journal", true],
  ["Pier Times", "Pier  Times", true],
  ["Pier Times", "Pier\u00a0Times", true],
  ["PierTimes", "Pier Times", false],
  ["journal", "Journal", false],
  ["", "Journal", false],
])("%j typed for %j: %s", (typed, name, is) => {
  expect(isTypedName(typed, name)).toBe(is);
});
