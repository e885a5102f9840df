import { expect, test } from "vitest";
import { keptHints } from "./kept-hints.ts";

test("a window is kept roughly, how an offer was seen exactly, and what tells a visitor apart not at all", () => {
  expect(
    keptHints({
      ...{ viewportWidth: 1366, viewportHeight: 657, devicePixelRatio: 1.3125 },
      ...{ language: "de-DE", timezone: "Europe/Berlin", visibleRatio: 0.83, visibleMs: 1004 },
    }),
  ).toEqual({
    ...{ viewportWidth: 1350, viewportHeight: 650, devicePixelRatio: 1.5 },
    ...{ visibleRatio: 0.83, visibleMs: 1004 },
  });
});

test.each([
  [390, 2.625, 400, 2.5],
  [24, 0.2, 0, 0],
  [0, 100, 0, 100],
  [100_000, 1, 100_000, 1],
])(
  "a side of %i px at a ratio of %f is kept as %i at %f",
  (viewportWidth, devicePixelRatio, width, ratio) => {
    expect(keptHints({ viewportWidth, devicePixelRatio })).toEqual({
      viewportWidth: width,
      devicePixelRatio: ratio,
    });
  },
);

test("of a page that says nothing nothing is kept", () => {
  expect(keptHints({})).toEqual({});
});
