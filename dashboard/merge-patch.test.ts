import { expect, test } from "vitest";
import { patchOf } from "./merge-patch.ts";

test.each([
  [{ a: 1, b: 2 }, { a: 1, b: 2 }, {}],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  [{ a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: { b: 1 } }, { a: null }, { a: null }],
  [{ a: [1, 2] }, { a: [2, 1] }, { a: [2, 1] }],
  [{ a: [1] }, { a: [1] }, {}],
])("from %j to %j it takes %j", (before, after, patch) => {
  expect(patchOf(before, after)).toEqual(patch);
});
