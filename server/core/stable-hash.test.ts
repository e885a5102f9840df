import { expect, test } from "vitest";
import { joinedHash, stableHash } from "./stable-hash.ts";

test("a hash never changes: these are written down", () => {
  expect(stableHash("offer_1")).toBe(902_664_059);
  expect(stableHash("")).toBe(2_872_998_923);
  expect(joinedHash(stableHash("AAAAAAAAAAAAAAAA"), stableHash("offer_1"))).toBe(1_814_903_882);
});

test.each([
  ["alone", (text: string) => stableHash(text)],
  ["joined with another", (text: string) => joinedHash(stableHash("request"), stableHash(text))],
])("%s, texts that differ in one character spread over all whole numbers of 32 bits", (_, hashOf) => {
  const quarters = [0, 0, 0, 0];
  for (let at = 0; at < 4_000; at += 1) {
    const hash = hashOf(`offer_${at}`);
    expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32).toBe(true);
    const quarter = Math.floor(hash / 2 ** 30);
    quarters[quarter] = (quarters[quarter] ?? 0) + 1;
  }
  for (const count of quarters) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
