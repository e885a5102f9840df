import type { GeoRule } from "@offers/contract/catalogue";
import { expect, test } from "vitest";
import { blocksEveryPlace, decideByLocation, decideFor, ruleLineFor } from "./geo-decision.ts";

const rule = (mode: GeoRule["mode"], entries: string[], unknownLocation: "allow" | "block" = "block") =>
  ({ mode, entries, unknownLocation }) satisfies GeoRule;

test.each([
  ["a country of the list", ["DE"], "DE", "", "allowed"],
  ["any region of a country of the list", ["DE"], "DE", "BY", "allowed"],
  ["a country that is not on it", ["DE"], "FR", "", "country_not_allowed"],
  ["a region of a country that is not on it", ["DE"], "FR", "75", "country_not_allowed"],
  ["a region of the list", ["US-NJ"], "US", "NJ", "allowed"],
  ["another region of a partly listed country", ["US-NJ"], "US", "NY", "region_not_allowed"],
  ["an unknown region of a partly listed country", ["US-NJ"], "US", "", "region_not_allowed"],
  ["the like-named region of another country", ["US-NJ"], "IN", "NJ", "country_not_allowed"],
  ["a listed region beside its country", ["US", "US-NJ"], "US", "NJ", "allowed"],
  ["another region beside its country", ["US", "US-NJ"], "US", "NY", "allowed"],
  ["an unknown region beside its country", ["US", "US-NJ"], "US", "", "allowed"],
  ["anybody under an empty list", [], "DE", "BY", "country_not_allowed"],
  ["a region whose code begins like a listed one", ["GB-E"], "GB", "ENG", "region_not_allowed"],
])("allowlist: %s", (_, entries, country, region, expected) => {
  expect(word(rule("allowlist", entries), country, region)).toBe(expected);
});

test.each([
  ["a country of the list", ["DE"], "DE", "", "country_blocked"],
  ["any region of a country of the list", ["DE"], "DE", "BY", "country_blocked"],
  ["a country that is not on it", ["DE"], "FR", "", "allowed"],
  ["a region of the list", ["US-WA"], "US", "WA", "region_blocked"],
  ["another region of a partly listed country", ["US-WA"], "US", "NY", "allowed"],
  ["an unknown region of a partly listed country", ["US-WA"], "US", "", "allowed"],
  ["the like-named region of another country", ["US-WA"], "AU", "WA", "allowed"],
  ["a listed region beside its country", ["US", "US-WA"], "US", "WA", "region_blocked"],
  ["another region beside its country", ["US", "US-WA"], "US", "NY", "country_blocked"],
  ["anybody under an empty list", [], "DE", "BY", "allowed"],
])("blocklist: %s", (_, entries, country, region, expected) => {
  expect(word(rule("blocklist", entries), country, region)).toBe(expected);
});

test.each([
  ["allowlist", "allow", "allowed"],
  ["allowlist", "block", "location_unknown"],
  ["blocklist", "allow", "allowed"],
  ["blocklist", "block", "location_unknown"],
] as const)("%s, unknown location: %s", (mode, unknownLocation, expected) => {
  for (const entries of [[], ["ZZ"], ["DE"]]) {
    expect(word(rule(mode, entries, unknownLocation), "ZZ", "")).toBe(expected);
  }
});

test("the rule for an unknown location says nothing about a known one", () => {
  expect(word(rule("allowlist", ["DE"], "allow"), "FR", "")).toBe("country_not_allowed");
  expect(word(rule("blocklist", ["DE"], "block"), "FR", "")).toBe("allowed");
});

test("a paused website lets everybody see its pages, whatever its rule says", () => {
  const geoRule = rule("blocklist", ["DE"]);
  const location = { country: "DE", region: "" };
  expect(decideFor({ geoRule, paused: true }, location)).toEqual({ allowed: true });
  expect(decideFor({ geoRule, paused: false }, location)).toEqual({
    allowed: false,
    reason: "country_blocked",
  });
});

test.each([
  ["an allowlist without entries", "allowlist", [], true],
  ["one with an entry", "allowlist", ["DE"], false],
  ["a blocklist without entries", "blocklist", [], false],
  ["one with an entry", "blocklist", ["DE"], false],
] as const)("%s (%s) blocks every place", (_, mode, entries, blocks) => {
  expect(blocksEveryPlace({ mode, entries: [...entries] })).toBe(blocks);
});

test.each([
  ["an entry", ["DE"], "DE", "BY", { line: "entry", entry: "DE" }],
  ["the most exact entry", ["US", "US-NJ"], "US", "NJ", { line: "entry", entry: "US-NJ" }],
  ["the mode, where no entry fits", ["US-NJ"], "US", "", { line: "mode", entry: null }],
  ["the rule for who cannot be located", ["DE"], "ZZ", "", { line: "unknown_location", entry: null }],
] as const)("it is decided by %s", (_, entries, country, region, expected) => {
  for (const mode of ["allowlist", "blocklist"] as const) {
    const website = { geoRule: rule(mode, [...entries]), paused: false };
    expect(ruleLineFor(website, { country, region })).toEqual(expected);
    const paused = { line: "paused", entry: null };
    expect(ruleLineFor({ ...website, paused: true }, { country, region })).toEqual(paused);
  }
});

function word(geoRule: GeoRule, country: string, region: string): string {
  const verdict = decideByLocation(geoRule, { country, region });
  return verdict.allowed ? "allowed" : verdict.reason;
}
