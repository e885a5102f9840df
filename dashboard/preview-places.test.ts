import { expect, test } from "vitest";
import { previewPlaces, seesOffers } from "./preview-places.ts";

const rule = (mode: "allowlist" | "blocklist", ...entries: string[]) => ({ mode, entries });

test.each([
  [rule("blocklist", "ES", "US-NJ"), ["ES", "US-NJ"]],
  [rule("blocklist"), ["DE", "FR", "GB", "US"]],
  [rule("allowlist", "DE", "AT", "CH"), ["FR", "GB", "US", "DE", "AT", "CH"]],
  [rule("allowlist", "US-NJ"), ["DE", "FR", "GB", "US", "US-NJ"]],
  [rule("allowlist", "DE", "FR", "GB", "US"), ["AD", "DE", "FR", "GB", "US"]],
  [rule("allowlist"), ["DE", "FR", "GB", "US"]],
])("of %j a preview is looked at from %j", (asked, places) => {
  expect(previewPlaces(asked)).toEqual(places);
});

test.each([
  [rule("blocklist", "DE", "US-NJ"), ["DE", "DE-BE", "US-NJ"]],
  [rule("allowlist", "DE", "US-NJ"), ["FR", "US", "US-NY"]],
  [rule("blocklist"), []],
  [rule("allowlist"), ["DE", "DE-BE", "FR", "US", "US-NJ", "US-NY"]],
])("by %j visitors see offers from %j alone", (asked, offered) => {
  const places = ["DE", "DE-BE", "FR", "US", "US-NJ", "US-NY"];
  expect(places.filter((place) => seesOffers(asked, place))).toEqual(offered);
});
