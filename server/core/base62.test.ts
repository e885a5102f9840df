import fc from "fast-check";
import { expect, test } from "vitest";
import { base62, base62Of } from "./base62.ts";

test.each([
  [0, "000000"],
  [61, "00000z"],
  [62, "000010"],
  [0xffffffff, "4gfFC3"],
  [62 ** 6 + 1, "000001"],
])("%i is written in six digits as %s", (number, text) => {
  expect(base62Of(number, 6)).toBe(text);
});

test("a number is written as its bytes are", () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffffffff }), fc.integer({ min: 1, max: 8 }), (number, length) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      expect(base62Of(number, length)).toBe(base62(bytes, length));
    }),
  );
});
