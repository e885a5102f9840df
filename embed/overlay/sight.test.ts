import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Glance, look, missingMs, type Sight, unseen } from "./sight.ts";

const small = 100_000;
const large = 242_500;
const glance = (atMs: number, ratio: number, changes: Partial<Glance> = {}): Glance => ({
  atMs,
  ratio,
  areaPx: small,
  isPageVisible: true,
  ...changes,
});
const seenBy = (...glances: Glance[]): Sight => glances.reduce(look, unseen);

describe("enough of an offer is in view", () => {
  test.each([
    ["half of it", 0.5, small, true],
    ["a little less than half", 0.49, small, false],
    ["30 % of a large one", 0.3, large, true],
    ["30 % of one a pixel smaller", 0.3, large - 1, false],
    ["less than 30 % of a large one", 0.29, large, false],
    ["all of one without any area", 1, 0, false],
  ])("with %s: %#", (_name, ratio, areaPx, enough) => {
    expect(missingMs(seenBy(glance(0, ratio, { areaPx })), 0)).toBe(enough ? 1000 : null);
  });

  test("never in a hidden tab", () => {
    expect(missingMs(seenBy(glance(0, 1, { isPageVisible: false })), 0)).toBeNull();
  });
});

describe("one second", () => {
  test("has to pass from the first look that shows enough", () => {
    const sight = seenBy(glance(100, 0.1), glance(200, 0.6), glance(700, 0.9));
    expect(missingMs(sight, 700)).toBe(500);
    expect(missingMs(sight, 1199)).toBe(1);
    expect(missingMs(sight, 1200)).toBe(0);
    expect(missingMs(sight, 9000)).toBe(0);
  });

  test("starts again when the offer was scrolled away in between", () => {
    const sight = seenBy(glance(0, 0.8), glance(900, 0.2), glance(1000, 0.8));
    expect(missingMs(sight, 1100)).toBe(900);
  });

  test("starts again when the tab was hidden in between", () => {
    const sight = seenBy(glance(0, 1), glance(900, 1, { isPageVisible: false }), glance(950, 1));
    expect(missingMs(sight, 1000)).toBe(950);
  });
});

test("the best share is that of the unbroken stretch", () => {
  expect(
    seenBy(glance(0, 1), glance(10, 0), glance(20, 0.6), glance(30, 0.7), glance(40, 0.5)).bestRatio,
  ).toBe(0.7);
});

test("no sequence of looks counts unless each of the last second showed enough", () => {
  const step = fc.record({
    ms: fc.nat(400),
    ratio: fc.double({ min: 0, max: 1, noNaN: true }),
    hidden: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let atMs = 0;
      let sight = unseen;
      let enoughSince: number | null = null;
      for (const { ms, ratio, hidden } of steps) {
        atMs += ms;
        sight = look(sight, glance(atMs, ratio, { isPageVisible: !hidden }));
        enoughSince = ratio >= 0.5 && !hidden ? (enoughSince ?? atMs) : null;
        const hasCounted = missingMs(sight, atMs) === 0;
        expect(hasCounted).toBe(enoughSince !== null && atMs - enoughSince >= 1000);
      }
    }),
  );
});
