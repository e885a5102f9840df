import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { estimatedBits } from "./secret-strength.ts";

/** The same bytes in every run. */
const bytes = (count: number, size: number): Buffer =>
  createHash("shake256", { outputLength: size }).update(String(count)).digest();

const weak = [
  "0123456789abcdef0123456789abcdef",
  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  "changeme-changeme-changeme-changeme-2026",
  "correct horse battery staple correct horse",
  "this-is-the-secret-of-production-please-change",
  "a-very-long-secret-that-is-long-enough",
  "password1234password1234password1234",
  "your-secret-key-here-at-least-32-bytes-long",
  "qwertyuiopasdfghjklzxcvbnmqwertyuiop",
];

describe("the strength of a secret", () => {
  it.each(weak)("is little for %s", (secret) => {
    expect(estimatedBits(secret)).toBeLessThan(100);
  });

  it.each([
    ["hex of 32 bytes", 32, "hex"],
    ["base64 of 32 bytes", 32, "base64"],
    ["base64url of 48 bytes", 48, "base64url"],
  ] as const)("is enough for %s, a thousand times", (_name, size, encoding) => {
    const found = Array.from({ length: 1000 }, (_, at) => estimatedBits(bytes(at, size).toString(encoding)));
    expect(Math.min(...found)).toBeGreaterThan(100);
  });
});
