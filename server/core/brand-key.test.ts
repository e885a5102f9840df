import { expect, test } from "vitest";
import { brandKey } from "./brand-key.ts";

test.each([
  ["ACME", "acme"],
  [" Acme ", "acme"],
  ["Cafe\u0301", "caf\u00e9"],
])("%s is the brand %s", (one, other) => {
  expect(brandKey(one)).toBe(brandKey(other));
});

test.each([
  ["Acme", "Acme Books"],
  ["Acme", "Ácme"],
  ["A cme", "Acme"],
])("%s is not the brand %s", (one, other) => {
  expect(brandKey(one)).not.toBe(brandKey(other));
});
