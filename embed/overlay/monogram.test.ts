import fc from "fast-check";
import { expect, test } from "vitest";
import { monogram } from "./monogram.ts";

test.each([
  ["Meridian Travel", "M"],
  ["über reisen", "Ü"],
  ["«Olive & Thyme»", "O"],
  ["4Seasons", "4"],
  ["مدار للسفر", "م"],
  ["東京電力", "東"],
  ["🚀", "•"],
  ["", "•"],
])("%j is drawn as %j", (brand, letter) => {
  expect(monogram(brand).letter).toBe(letter);
});

test("a brand has one colour, out of those that white letters can be read on", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (brand) => {
      const { hue } = monogram(brand);
      expect(monogram(brand).hue).toBe(hue);
      expect(hue).toBeGreaterThanOrEqual(130);
      expect(hue).toBeLessThan(420);
    }),
  );
});

test("brands of the same letter differ in colour", () => {
  const hues = ["Meridian", "Marlow", "Mosaic", "Mistral"].map((brand) => monogram(brand).hue);
  expect(new Set(hues).size).toBe(4);
});
