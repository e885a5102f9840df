import { expect, test } from "vitest";
import { stableHash } from "./stable-hash.ts";

test("a hash never changes: these are written down", () => {
  expect(stableHash("AAAAAAAAAAAAAAAA", "offer_1")).toBe(3_913_224_774);
  expect(stableHash("", "")).toBe(1_403_934_981);
});

test("it is a whole number of 32 bits, and texts that differ in one character spread over all of them", () => {
  const quarters = [0, 0, 0, 0];
  for (let at = 0; at < 4_000; at += 1) {
    const hash = stableHash("request", `offer_${at}`);
    expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32).toBe(true);
    const quarter = Math.floor(hash / 2 ** 30);
    quarters[quarter] = (quarters[quarter] ?? 0) + 1;
  }
  for (const count of quarters) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test("where one text ends and the other begins matters", () => {
  expect(stableHash("ab", "c")).not.toBe(stableHash("a", "bc"));
});
