import { expect, test } from "vitest";
import {
  clickLimit,
  clicksSince,
  hourOf,
  hoursOfViews,
  isAboveViewLimit,
  minuteOf,
  type NetworkMinute,
  viewsSince,
} from "./billing-limits.ts";

const at = Date.UTC(2026, 10, 20, 12, 0, 30);
const minute = 60_000;
const hour = 60 * minute;

/** Billed clicks of one visitor on offers of their own, so many milliseconds ago each. */
const clicksOf = (...ago: number[]) => ago.map((ms, index) => ({ offer: 100 + index, at: at - ms }));
/** Billed clicks of one network on the offer. */
const networkOf = (...ago: number[]): NetworkMinute[] =>
  ago.map((ms) => ({ at: minuteOf(at - ms), times: 1, unnamed: 0 }));
const unnamedOf = (...ago: number[]): NetworkMinute[] =>
  networkOf(...ago).map((one) => ({ ...one, unnamed: 1 }));
const every = (count: number, ms: number) => Array.from({ length: count }, (_, index) => (index + 1) * ms);

test.each([
  ["a first click", {}, null],
  ["a second click on the offer within a day", { visitor: [{ offer: 1, at: at - 23 * hour }] }, "duplicate"],
  ["one a day later", { visitor: [{ offer: 1, at: at - 24 * hour }] }, null],
  ["a visitor's third click in ten minutes", { visitor: clicksOf(1, 2) }, null],
  ["their fourth", { visitor: clicksOf(1, 2, 3) }, "rate"],
  ["their fourth in more than ten minutes", { visitor: clicksOf(1, 2, 10 * minute) }, null],
  ["their tenth in an hour", { visitor: clicksOf(...every(9, 6 * minute)) }, null],
  ["their eleventh", { visitor: clicksOf(...every(10, 5 * minute + 59_000)) }, "rate"],
  ["their twenty-fifth in a day", { visitor: clicksOf(...every(24, 59 * minute)) }, null],
  ["their twenty-sixth", { visitor: clicksOf(...every(25, 57 * minute)) }, "rate"],
  ["a fourth click that is a second one too", { visitor: [...clicksOf(1, 2, 3), { offer: 1, at }] }, "rate"],
  ["a network's third click on the offer in ten minutes", { network: networkOf(1, 2) }, null],
  ["its fourth", { network: networkOf(1, 2, 3) }, "rate"],
  [
    "its fourth, of which three were in one minute",
    { network: [{ at: minuteOf(at), times: 3, unnamed: 0 }] },
    "rate",
  ],
  ["its fourth in eleven minutes", { network: networkOf(1, 2, 11 * minute) }, null],
  ["its eleventh in an hour", { network: networkOf(...every(10, 6 * minute)) }, "rate"],
  ["its twenty-fifth in a day", { network: networkOf(...every(24, 59 * minute)) }, null],
  ["its twenty-sixth", { network: networkOf(...every(25, 57 * minute)) }, "rate"],
  ["a visitor without a name", { visitor: null }, null],
  ["one whose network clicked the offer today", { visitor: null, network: networkOf(23 * hour) }, "rate"],
  ["one whose network clicked it yesterday", { visitor: null, network: networkOf(24 * hour + minute) }, null],
  ["a named visitor ten minutes after an unnamed one", { network: unnamedOf(9 * minute) }, "rate"],
  ["one ten minutes after it, to the minute", { network: unnamedOf(10 * minute) }, "rate"],
  ["one eleven minutes after it", { network: unnamedOf(11 * minute) }, null],
  ["a clock that was set back", { visitor: clicksOf(-hour, -hour, -hour) }, "rate"],
] satisfies [string, Partial<Parameters<typeof clickLimit>[0]>, string | null][])("%s", (_, past, limit) => {
  expect(clickLimit({ at, offer: 1, visitor: [], network: [], ...past })).toBe(limit);
});

test.each([
  ["the fifth view in five minutes", [1, 1, 2, 3], false],
  ["the sixth", [1, 1, 2, 3, 4], true],
  ["the sixth, with one of the same minute five minutes ago", [0, 1, 2, 3, 5], true],
  ["the sixth in more", [0, 1, 2, 3, 6], false],
  ["the sixth, of which some came before and were reported later", [2, 1, 0, -1, -2], true],
  ["the sixth, all of which came after it", [-1, -1, -2, -3, -5], true],
  ["one between two stretches that have room each", [4, 4, 3, -4, -4], false],
  ["one half an hour before five others", [-30, -30, -31, -32, -33], false],
])("%s", (_, minutesAgo, isAbove) => {
  const views = minutesAgo.map((ago) => ({ at: minuteOf(at) - ago * minute, times: 1 }));
  expect(isAboveViewLimit({ at, visitor: views, network: null })).toBe(isAbove);
});

test.each([
  ["nobody has seen it", 0, 0, 0, false],
  ["a visitor's fifth", 4, 4, 0, false],
  ["their sixth", 5, 5, 0, true],
  ["their third, and two without a name", 3, 5, 2, true],
  ["their second, and two without a name", 2, 4, 2, false],
  ["their first, and the thirtieth of the network", 0, 29, 0, false],
  ["the thirty-first of the network", 0, 30, 0, true],
  ["the fifth of a network by one without a name", null, 4, 1, false],
  ["the sixth, whoever saw it before", null, 5, 0, true],
])("views of a visitor and their network: %s", (_, own, ofNetwork, unnamed, isAbove) => {
  const minutes = (times: number) => [{ at: minuteOf(at), times, unnamed: 0 }];
  const network = [{ at: minuteOf(at), times: ofNetwork, unnamed }];
  expect(isAboveViewLimit({ at, visitor: own === null ? null : minutes(own), network })).toBe(isAbove);
});

test("a viewer of whom nothing is known is limited by nothing", () => {
  expect(isAboveViewLimit({ at, visitor: null, network: null })).toBe(false);
});

test("what was billed matters for a day to a click, and for five minutes to a view", () => {
  expect(at - clicksSince(at)).toBe(24 * hour);
  expect(at - viewsSince(at)).toBe(5 * minute);
  expect([hourOf(at), minuteOf(at)]).toEqual([at - 30_000, at - 30_000]);
  expect([hourOf(at + 59 * minute), minuteOf(at + 29_999)]).toEqual([at - 30_000, at - 30_000]);
});

test.each([
  ["in the middle of an hour", 30, [0]],
  ["at its beginning", 2, [-1, 0]],
  ["at its end", 56, [0, 1]],
])("a view %s may meet others of the hours about it", (_, minutes, hours) => {
  const noon = Date.UTC(2026, 10, 20, 12);
  expect(hoursOfViews(noon + minutes * minute)).toEqual(hours.map((one) => noon + one * hour));
});
