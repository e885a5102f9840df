import { expect, test } from "vitest";
import { memberText } from "./activity-words.ts";

test.each([
  ["vertical", "Vertical"],
  ["geoRule.unknownLocation", "Geo rule, unknown location"],
  ["allowlist.block.verticals", "Allowlist, block, verticals"],
])("the member %s is called %s", (member, words) => {
  expect(memberText(member)).toBe(words);
});
