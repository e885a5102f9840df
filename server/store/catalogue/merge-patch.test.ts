import { expect, test } from "vitest";
import { mergePatch } from "./merge-patch.ts";

test.each([
  ["replaces a member", { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ["adds a member", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ["takes a member out", { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ["merges members of members", { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
  ["makes an object where there was none", { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ["replaces lists whole", { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ["leaves nulls of the target alone", { a: null, b: 1 }, { b: 2 }, { a: null, b: 2 }],
  ["changes nothing without members", { a: { b: 1 } }, {}, { a: { b: 1 } }],
])("a patch %s", (_, target, patch, merged) => {
  const before = structuredClone(target);
  expect(mergePatch(target, patch)).toEqual(merged);
  expect(target).toEqual(before);
});
