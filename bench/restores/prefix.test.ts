import { expect, test } from "vitest";
import { prefixChecks } from "./prefix.ts";

/** Sent and acknowledged, each a moment after the one before. */
const events = new Map(
  ["a", "b", "c", "d"].map((key, at) => [key, { sentAt: at * 10, ackedAt: at * 10 + 5 }] as const),
);
const failing = (there: readonly string[], beganAt: number, endedAt = 35): string[] =>
  prefixChecks(events, new Set(there), { beganAt, endedAt })
    .filter(({ holds }) => !holds)
    .map(({ claim }) => claim);

test.each([
  ["a beginning", ["a", "b"], 0, []],
  ["nothing", [], 0, []],
  ["what came after the copy began", ["a", "b", "c"], 11, []],
  ["what was acknowledged before is missing", ["a"], 16, ["acknowledged before it began, and not there"]],
  ["a hole", ["a", "c"], 0, ["there without what was acknowledged before it was sent, in ms"]],
  ["something that nobody sent", ["a", "x"], 0, ["there, and never sent"]],
  [
    "everything, so that nothing shows it was copied under load",
    ["a", "b", "c", "d"],
    0,
    ["sent while it was made, and not there"],
  ],
])("%s", (_, there, beganAt, wrong) => {
  expect(failing(there, beganAt)).toEqual(wrong);
});

test("what was sent once it was made shows nothing", () => {
  expect(failing(["a", "b"], 6, 20)).toEqual(["sent while it was made, and not there"]);
  expect(failing(["a", "b"], 6, 21)).toEqual([]);
});

test("of two that were under way at one time either may be there alone", () => {
  const both = new Map([
    ["a", { sentAt: 0, ackedAt: 9 }],
    ["b", { sentAt: 5, ackedAt: 12 }],
  ]);
  const checks = prefixChecks(both, new Set(["b"]), { beganAt: -1, endedAt: 9 });
  expect(checks.every(({ holds }) => holds)).toBe(true);
});
