import { expect, test } from "vitest";
import { comparePrefix } from "./prefix.ts";

/** Sent and acknowledged, each a moment after the one before. */
const events = new Map(
  ["a", "b", "c", "d"].map((key, at) => [key, { sentAt: at * 10, ackedAt: at * 10 + 5 }] as const),
);
const failing = (there: readonly string[], beganAt: number): string[] =>
  comparePrefix(events, new Set(there), { beganAt, endedAt: 35 })
    .checks.filter(({ holds }) => !holds)
    .map(({ claim }) => claim);

test.each([
  ["a beginning", ["a", "b"], 0, []],
  ["nothing", [], 0, []],
  ["what came after the copy began", ["a", "b", "c"], 11, []],
  ["what was acknowledged before is missing", ["a"], 16, ["acknowledged before it began, and not there"]],
  ["a hole", ["a", "c"], 0, ["there without what was acknowledged before it was sent, in ms"]],
  ["something that nobody sent", ["a", "x"], 0, ["there, and never sent"]],
])("%s", (_, there, beganAt, wrong) => {
  expect(failing(there, beganAt)).toEqual(wrong);
});

test.each([
  ["two were sent while it was made, one after it", ["a"], 6, 25, 2],
  ["the next one was sent as it ended", ["a", "b"], 6, 20, 0],
  ["everything is there", ["a", "b", "c", "d"], 0, 35, 0],
])("left out of a copy under load: %s", (_, there, beganAt, endedAt, left) => {
  expect(comparePrefix(events, new Set(there), { beganAt, endedAt }).left).toBe(left);
});

test("of two that were under way at one time either may be there alone", () => {
  const both = new Map([
    ["a", { sentAt: 0, ackedAt: 9 }],
    ["b", { sentAt: 5, ackedAt: 12 }],
  ]);
  const { checks } = comparePrefix(both, new Set(["b"]), { beganAt: -1, endedAt: 9 });
  expect(checks.every(({ holds }) => holds)).toBe(true);
});
