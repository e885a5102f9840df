import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (sheet: string) => readFileSync(`${import.meta.dirname}/${sheet}`, "utf8");
const tokens = read("tokens.css");

type Scheme = "light" | "dark";

/** A token's colour, `#rrggbb`. */
const colourOf = (name: string, scheme: Scheme): string => {
  const both = tokens.match(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`));
  const hex = both?.[scheme === "light" ? 1 : 2] ?? "";
  expect(hex, name).toMatch(/^#(\w{3}|\w{6})$/);
  return hex.length === 4 ? hex.replace(/\w/g, "$&$&") : hex;
};

/** The relative luminance that WCAG 2.2 defines. */
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((low, high) => low - high);
  return (bright + 0.05) / (dark + 0.05);
};

test("black and white have the contrast that WCAG says", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});

test.each(["light", "dark"] as const)("fields and what is chosen have an edge that is seen, %s", (scheme) => {
  expect(read("forms.css")).toMatch(/textarea \{[^}]*border: 1px solid var\(--field\)/);
  for (const ground of ["card", "paper"]) {
    expect(contrast(colourOf("field", scheme), colourOf(ground, scheme)), ground).toBeGreaterThanOrEqual(3);
  }
  for (const ground of ["line", "card"]) {
    expect(contrast(colourOf("accent", scheme), colourOf(ground, scheme)), ground).toBeGreaterThanOrEqual(3);
  }
});
