import { describe, expect, test } from "vitest";
import { changedMembers, type Difference } from "./changed-members.ts";

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

const cases: [string, object | null, object | null, Difference | null][] = [
  ["nothing where all is alike", { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, null],
  ["nothing of nothing", null, null, null],
  ["the member that differs alone", { a: 1, b: 2 }, { a: 1, b: 3 }, { before: { b: 2 }, after: { b: 3 } }],
  [
    "the member within a member",
    { settings: { theme: "auto", pages: { include: [], exclude: [] } } },
    { settings: { theme: "auto", pages: { include: ["/a"], exclude: [] } } },
    { before: { settings: { pages: { include: [] } } }, after: { settings: { pages: { include: ["/a"] } } } },
  ],
  ["a list in another order", { a: [1, 2] }, { a: [2, 1] }, { before: { a: [1, 2] }, after: { a: [2, 1] } }],
  [
    "an object in place of null",
    { a: null },
    { a: { b: 1 } },
    { before: { a: null }, after: { a: { b: 1 } } },
  ],
  ["a member that came", { a: 1 }, { a: 1, b: 2 }, { before: {}, after: { b: 2 } }],
  ["a member that went", { a: 1, b: 2 }, { a: 1 }, { before: { b: 2 }, after: {} }],
  ["all of what is new", null, { a: 1 }, { before: null, after: { a: 1 } }],
  ["all of what is gone", { a: 1 }, null, { before: { a: 1 }, after: null }],
  [
    "of a long list what came and what went",
    { a: numbers(0, 1000) },
    { a: numbers(1, 1001) },
    { before: { a: ["0"] }, after: { a: ["1000"] } },
  ],
  [
    "and no more than thirty of that",
    { a: [] },
    { a: numbers(0, 1000) },
    { before: { a: [] }, after: { a: [...numbers(0, 30), "… and 970 more"] } },
  ],
  [
    "the beginning of a text without end",
    { a: "" },
    { a: "x".repeat(3000) },
    { before: { a: "" }, after: { a: `${"x".repeat(2100)}…` } },
  ],
];

describe("of two values", () => {
  test.each(cases)("is told %s", (_, before, after, expected) => {
    expect(changedMembers(before, after)).toEqual(expected);
  });
});
