import fc from "fast-check";
import { expect, test } from "vitest";
import { requestKeyOf, requestKeysSince, requestRandomBytes, requestTimeOf } from "./request-key.ts";

const first = Date.UTC(2020, 0, 1);
const last = first + 2 ** 40 - 1;
const someTime = fc.integer({ min: first, max: last });
const someRandom = fc.uint8Array({ minLength: requestRandomBytes, maxLength: requestRandomBytes });
const zeros = new Uint8Array(requestRandomBytes);

test("a key is 16 characters of which the time can be read again", () => {
  fc.assert(
    fc.property(someTime, someRandom, (at, random) => {
      const request = requestKeyOf(at, random);
      expect(request).toMatch(/^[A-Za-z0-9_-]{16}$/);
      expect(requestTimeOf(request)).toBe(at);
      expect(requestTimeOf(Buffer.from(request, "base64url"))).toBe(at);
      expect([...Buffer.from(request, "base64url").subarray(-requestRandomBytes)]).toEqual([...random]);
    }),
    { numRuns: 2_000 },
  );
});

test("the bytes of later keys sort behind those of earlier ones, whatever is random in them", () => {
  fc.assert(
    fc.property(someTime, someTime, someRandom, someRandom, (one, other, randomOne, randomOther) => {
      const [a, b] = [requestKeyOf(one, randomOne), requestKeyOf(other, randomOther)];
      const order = Buffer.compare(Buffer.from(a, "base64url"), Buffer.from(b, "base64url"));
      if (one !== other) expect(order).toBe(Math.sign(one - other));
    }),
  );
});

test("the first and the last key are what the layout says", () => {
  expect(requestKeyOf(first, zeros)).toBe("AAAAAAAAAAAAAAAA");
  expect(
    requestKeyOf(
      last,
      zeros.map(() => 255),
    ),
  ).toBe("_".repeat(16));
  expect(new Date(last).toISOString()).toBe("2054-11-03T19:53:47.775Z");
});

test("the keys since a time are those made at it and later, so that a purge takes none of them", () => {
  const ones = zeros.map(() => 255);
  fc.assert(
    fc.property(fc.integer({ min: first + 1, max: last }), (at) => {
      const since = requestKeysSince(at);
      const order = [requestKeyOf(at - 1, ones), requestKeyOf(at, zeros)].map((key) =>
        Math.sign(Buffer.compare(Buffer.from(key, "base64url"), since)),
      );
      expect(order).toEqual([-1, 1]);
    }),
  );
});

test.each([
  ["before the first key all are", first - 1, "0000000000"],
  ["at the first all are", first, "0000000000"],
  ["a millisecond later all others are", first + 1, "0000000001"],
  ["behind the last key none but those of the last millisecond are", last + 1, "ffffffffff"],
])("since a time %s", (_, at, since) => {
  expect(requestKeysSince(at).toString("hex")).toBe(since);
});

test.each([
  ["before 2020", first - 1],
  ["after 2054", last + 1],
  ["between two milliseconds", first + 0.5],
  ["that is none", Number.NaN],
])("a time %s is refused", (_, at) => {
  expect(() => requestKeyOf(at, zeros)).toThrow(RangeError);
});

test.each([0, 6, 8, 12])("%d random bytes are refused", (length) => {
  expect(() => requestKeyOf(first, new Uint8Array(length))).toThrow(RangeError);
});
