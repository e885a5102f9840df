import { expect, test } from "vitest";
import { previewPages } from "./preview-pages.ts";
import { countries, regionsByCountry } from "./preview-places.ts";
import { previewWebsites } from "./preview-websites.ts";

const codes = countries.map(({ code }) => code);
const regions = regionsByCountry.flatMap((group) => group.regions.map(({ code }) => code));

test("every assigned country is there once, with a name", () => {
  expect(codes).toHaveLength(249);
  expect(new Set(codes).size).toBe(249);
  for (const { code, name } of countries) expect(name, code).not.toBe(code);
});

test("regions are full codes of their country, each once", () => {
  expect(new Set(regions).size).toBe(regions.length);
  for (const { country, regions: own } of regionsByCountry) {
    for (const { code, name } of own) {
      expect(code).toMatch(new RegExp(`^${country.code}-[A-Z]{2,3}$`));
      expect(name).toMatch(/^\p{Lu}/u);
    }
  }
  expect(regionsByCountry.map(({ country, regions: own }) => [country.code, own.length])).toEqual([
    ["US", 51],
    ["CA", 13],
    ["GB", 4],
    ["DE", 16],
    ["AU", 8],
  ]);
});

test("a quick choice can also be made by hand", () => {
  const places = previewPages.flatMap((page) =>
    previewWebsites(page).flatMap((website) => page.places ?? website.places),
  );
  expect(places.length).toBeGreaterThan(20);
  for (const { country, region } of places) {
    expect(["", "ZZ", ...codes]).toContain(country);
    expect(["", ...regions]).toContain(region);
  }
});
