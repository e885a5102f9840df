import { expect, test } from "vitest";
import { saltKeyOf, visitorHash } from "./visitor-hash.ts";

const visitor = {
  saltKey: saltKeyOf("salt of the day"),
  websiteId: 1,
  addressPrefix: "203.0.113.7",
  userAgent: "Mozilla/5.0",
};

test("a visitor has one hash of 128 bits in 22 characters", () => {
  const hash = visitorHash(visitor);
  expect(hash).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(Buffer.from(hash, "base64url").toString("base64url")).toBe(hash);
  expect(visitorHash({ ...visitor, saltKey: saltKeyOf("salt of the day") })).toBe(hash);
});

test.each([
  ["salt", { saltKey: saltKeyOf("salt of another day") }],
  ["website", { websiteId: 2 }],
  ["address", { addressPrefix: "203.0.113.8" }],
  ["user agent", { userAgent: "Mozilla/5.1" }],
  ["border between website and address", { websiteId: 12, addressPrefix: "03.0.113.7" }],
  ["empty user agent", { userAgent: "" }],
])("another %s makes another visitor", (_, over) => {
  expect(visitorHash({ ...visitor, ...over })).not.toBe(visitorHash(visitor));
});
