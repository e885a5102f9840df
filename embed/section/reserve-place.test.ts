import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { frame, heightToReserve, numberWithin, wideFrom } from "./reserve-place.ts";

const empty = (widthPx: number) => ({ widthPx, roomPx: 0 });

test.each([
  ["300", 300],
  ["300px", 300],
  ["299.6", 300],
  ["40", 7],
  ["9999", 7],
  ["tall", 7],
  ["", 7],
  [undefined, 7],
  [240, 240],
])("of %j a number within 80 and 2000 is %d", (value, number) => {
  expect(numberWithin(value, 80, 2000, 7)).toBe(number);
});

test("the tag's height goes before the container's, and that before the usual", () => {
  const container = { widthPx: 700, roomPx: 420.7 };
  expect(heightToReserve("260", container, 3)).toBe(260);
  expect(heightToReserve(undefined, container, 3)).toBe(420);
  expect(heightToReserve("nonsense", container, 3)).toBe(420);
});

test("a container with no room of its own gets what the offers come to", () => {
  const wide = [1, 2, 3].map((limit) => heightToReserve("", empty(700), limit));
  const narrow = [1, 2, 3].map((limit) => heightToReserve("", empty(300), limit));
  expect(wide).toEqual([...wide].sort((one, other) => one - other));
  narrow.forEach((height, index) => {
    expect(height).toBeGreaterThan(wide[index] ?? 0);
  });
  expect(heightToReserve("", { widthPx: 700, roomPx: 24 }, 3)).toBe(wide[2]);
});

test("the height changes at the width at which the style sheet changes", () => {
  const css = readFileSync(`${import.meta.dirname}/../overlay/style/offers.css`, "utf8");
  const [, px] = /@container \(inline-size < (\d+)px\) \{\s*article \{\s*display: block/.exec(css) ?? [];
  expect(Number(px)).toBe(wideFrom - frame);
  const [narrow, wide] = [wideFrom - 1, wideFrom].map((widthPx) => heightToReserve("", empty(widthPx), 3));
  expect((narrow ?? 0) - (wide ?? 0)).toBeGreaterThan(50);
});
