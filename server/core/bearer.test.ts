import { describe, expect, it } from "vitest";
import { bearerToken } from "./bearer.ts";

describe("the bearer token", () => {
  it.each([
    ["Bearer sk_a_b", "sk_a_b"],
    ["bearer sk_a_b", "sk_a_b"],
    ["BEARER sk_a_b", "sk_a_b"],
    ["Bearer  sk_a_b", "sk_a_b"],
    ["Bearer abc==", "abc=="],
    ["Bearer AZaz09-._~+/=", "AZaz09-._~+/="],
  ])("of %j is %s", (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([
    ["no header", undefined],
    ["an empty header", ""],
    ["the scheme alone", "Bearer"],
    ["the scheme and a space", "Bearer "],
    ["two tokens", "Bearer sk_a sk_b"],
    ["two tokens with a comma", "Bearer sk_a, Bearer sk_b"],
    ["another scheme", "Basic c2s6Yg=="],
    ["a longer scheme", "Bearers sk_a"],
    ["a token alone", "sk_a_b"],
    ["a tab for a space", "Bearer\tsk_a_b"],
    ["a space at the end", "Bearer sk_a_b "],
    ["a key in quotes", 'Bearer "sk_a_b"'],
    ["a token of 5 KB", `Bearer ${"a".repeat(5000)}`],
  ])("is null for %s", (_name, header) => {
    expect(bearerToken(header)).toBeNull();
  });
});
