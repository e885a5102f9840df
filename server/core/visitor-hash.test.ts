import { expect, test } from "vitest";
import { networkHash, saltKeyOf, visitorHash } from "./visitor-hash.ts";

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

const network = { saltKey: visitor.saltKey, network: "203.0.113.7", offer: 1 };

test("a network has one hash for an offer, of the same form as a visitor's", () => {
  const hash = networkHash(network);
  expect(hash).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(networkHash({ ...network })).toBe(hash);
});

test.each([
  ["salt", { saltKey: saltKeyOf("salt of another day") }],
  ["network", { network: "203.0.113.8" }],
  ["offer", { offer: 2 }],
])("another %s has another hash of the network", (_, over) => {
  expect(networkHash({ ...network, ...over })).not.toBe(networkHash(network));
});
