import type { DashWebsite } from "@offers/contract/dash/websites";
import { expect, test } from "vitest";
import { ruleSentence } from "./rule-words.ts";

type GeoRule = DashWebsite["geoRule"];

test.each<[GeoRule["mode"], GeoRule["entries"], GeoRule["unknownLocation"], string]>([
  [
    "blocklist",
    ["DE", "FR"],
    "allow",
    "Visitors from Germany and France see offers. Everybody else sees the page.",
  ],
  [
    "blocklist",
    ["DE"],
    "block",
    "Visitors from Germany see offers, and so does whoever cannot be placed. Everybody else sees the page.",
  ],
  ["blocklist", [], "allow", "Everybody sees the page."],
  ["blocklist", [], "block", "Everybody sees the page but whoever cannot be placed."],
  ["allowlist", ["DE"], "allow", "Visitors from Germany see the page. Everybody else sees offers."],
  ["allowlist", [], "allow", "Everybody sees offers."],
])("a rule %s of %j, the unknown %s", (mode, entries, unknownLocation, says) => {
  expect(ruleSentence({ mode, entries, unknownLocation })).toBe(says);
});
