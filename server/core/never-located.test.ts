import { expect, test } from "vitest";
import { neverLocated } from "./never-located.ts";

const many = Array.from({ length: 20 }, (_, at) => `US-${String.fromCharCode(65 + at)}A`);
const everywhere = new Set(["DE", "GB", "GB-SCT", "GB-ENG", "HK", "US", ...many]);

test.each([
  ["*", null],
  ["DE", null],
  ["GB-ENG", null],
  ["BV", "the location data knows no address in BV"],
  ["BV-01", "the location data knows no address in BV"],
  ["HK-KYT", "the location data tells no regions of HK apart"],
  ["GB-LND", "the location data knows no address in GB-LND; of GB it tells GB-ENG, GB-SCT"],
])("%s: %j", (entry, reason) => {
  expect(neverLocated(entry, everywhere)).toBe(reason);
});

test("a country of many regions is not told in full", () => {
  expect(neverLocated("US-ZZ", everywhere)).toMatch(/US-AA, .* US-LA …$/);
});
