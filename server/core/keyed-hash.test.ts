import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyedHash } from "./keyed-hash.ts";

const hmac = (key: Uint8Array, message: string | Uint8Array) =>
  createHmac("sha256", key).update(message).digest("hex");

const someKey = fc.uint8Array({ maxLength: 200 });
const someMessage = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.integer({ min: 330, max: 1100 }).map((length) => "é".repeat(length)),
  fc.integer({ min: 1000, max: 1100 }).map((length) => new Uint8Array(length).fill(7)),
);

test("the bytes are those of HMAC-SHA256, message after message under one key", () => {
  fc.assert(
    fc.property(someKey, fc.array(someMessage, { minLength: 1, maxLength: 5 }), (key, messages) => {
      const keyedHash = createKeyedHash(key);
      for (const message of messages) expect(keyedHash(message).toString("hex")).toBe(hmac(key, message));
    }),
    { numRuns: 2_000 },
  );
});

test.each([0, 1, 63, 64, 65, 128])("a key of %d bytes is padded or hashed as RFC 2104 says", (length) => {
  const key = Buffer.alloc(length, 0xab);
  expect(createKeyedHash(key)("message").toString("hex")).toBe(hmac(key, "message"));
});

test("the second test case of RFC 4231 comes out", () => {
  expect(createKeyedHash(Buffer.from("Jefe"))("what do ya want for nothing?").toString("hex")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("an earlier digest stays what it was", () => {
  const keyedHash = createKeyedHash(Buffer.from("key"));
  const first = keyedHash("first");
  const before = first.toString("hex");
  keyedHash("second");
  expect(first.toString("hex")).toBe(before);
});
