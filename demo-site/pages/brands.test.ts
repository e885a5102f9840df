import { expect, test } from "vitest";
import { brandOf, brands, unnamedBrand } from "./brands.ts";

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each([...brands, unnamedBrand])("$name can be read in both of its colours", ({ colour, bright }) => {
  expect(contrast(colour, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  expect(contrast(bright, "#12171d")).toBeGreaterThanOrEqual(4.5);
});

test("each brand has an address of its own", () => {
  expect(new Set(brands.map(({ slug }) => slug)).size).toBe(brands.length);
  for (const brand of brands) expect(brandOf(brand.slug)).toBe(brand);
  expect(brandOf("nobody")).toBeUndefined();
});
